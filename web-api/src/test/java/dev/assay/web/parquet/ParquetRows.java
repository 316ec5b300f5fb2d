package dev.assay.web.parquet;

import dev.hardwood.InputFile;
import dev.hardwood.metadata.FileMetaData;
import dev.hardwood.reader.ParquetFileReader;
import dev.hardwood.reader.RowReader;
import dev.hardwood.row.PqList;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A Parquet file as another library reads it.
 *
 * @param end what the file says of itself
 */
public record ParquetRows(FileMetaData end, List<Map<String, @Nullable Object>> rows) {

    /** Reads a file. */
    public static ParquetRows of(byte[] file) {
        try (ParquetFileReader reader = ParquetFileReader.open(InputFile.of(ByteBuffer.wrap(file)));
                RowReader rows = reader.rowReader()) {
            List<Map<String, @Nullable Object>> all = new ArrayList<>();
            while (rows.hasNext()) {
                rows.next();
                Map<String, @Nullable Object> row = new LinkedHashMap<>();
                for (int i = 0; i < rows.getFieldCount(); i++) {
                    Object value = rows.isNull(i) ? null : rows.getValue(i);
                    row.put(rows.getFieldName(i), value instanceof PqList list ? list.values() : value);
                }
                all.add(row);
            }
            return new ParquetRows(reader.getFileMetaData(), all);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The values of a column. */
    public List<@Nullable Object> column(String name) {
        List<@Nullable Object> values = new ArrayList<>();
        rows.forEach(row -> values.add(row.get(name)));
        return values;
    }
}
