package dev.assay.web.parquet;

import com.github.luben.zstd.Zstd;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Util;
import org.jspecify.annotations.Nullable;

/**
 * Writes a table as a Parquet file. Memory holds one group of rows and what the file's end says of the groups. A file that is not
 * {@linkplain #finish finished} has no end, and no reader takes it for a table.
 *
 * <p>Source of the form: Apache Parquet's format, version 1 pages, encodings PLAIN and RLE, compressed by zstd.
 *
 * @param <T> what a row is made of
 */
public final class ParquetWriter<T> {

    /** Rows of a group, at most. */
    static final int MOST_ROWS = 100_000;

    /** Bytes of a group before they are compressed, at most; a row that has more is a group of its own. */
    static final int MOST_BYTES = 8 << 20;

    private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);

    /** The quickest level: the time of an export is that of the database and of this. */
    private static final int LEVEL = 1;

    private final OutputStream out;
    private final List<ParquetColumn<T>> columns;
    private final List<ColumnValues> values;
    private final List<RowGroup> groups = new ArrayList<>();
    private final PlainBytes page = new PlainBytes();
    private byte[] packed = {};
    private long position;
    private long rowCount;
    private int groupRows;
    private long groupBytes;

    /**
     * Begins a file.
     *
     * @param out is not closed
     */
    public ParquetWriter(OutputStream out, List<ParquetColumn<T>> columns) throws IOException {
        this.out = out;
        this.columns = List.copyOf(columns);
        this.values =
                columns.stream().map(column -> new ColumnValues(column.type())).toList();
        write(MAGIC, MAGIC.length);
    }

    /** Writes a row. */
    public void add(T row) throws IOException {
        @Nullable Object[] stored = new @Nullable Object[columns.size()];
        long bytes = 0;
        for (int i = 0; i < stored.length; i++) {
            ParquetColumn<T> column = columns.get(i);
            stored[i] = ColumnValues.stored(column.type(), column.value().apply(row));
            bytes += ColumnValues.size(stored[i]);
        }
        if (groupRows == MOST_ROWS || (groupRows > 0 && groupBytes + bytes > MOST_BYTES)) {
            endGroup();
        }
        for (int i = 0; i < stored.length; i++) {
            values.get(i).add(stored[i]);
        }
        groupRows++;
        groupBytes += bytes;
    }

    /** Writes what waits, and the end of the file. */
    public void finish() throws IOException {
        if (groupRows > 0) {
            endGroup();
        }
        FileMetaData file = new FileMetaData(1, schema(), rowCount, groups);
        file.setCreated_by("Assay");
        PlainBytes length = new PlainBytes();
        long begin = position;
        Util.writeFileMetaData(file, counted());
        length.addInt(Math.toIntExact(position - begin));
        write(length.array(), length.size());
        write(MAGIC, MAGIC.length);
    }

    private void endGroup() throws IOException {
        List<ColumnChunk> chunks = new ArrayList<>();
        long begin = position;
        long bytes = 0;
        for (int i = 0; i < columns.size(); i++) {
            ColumnMetaData written = writeChunk(columns.get(i), values.get(i));
            ColumnChunk chunk = new ColumnChunk(0);
            chunk.setMeta_data(written);
            chunks.add(chunk);
            bytes += written.getTotal_uncompressed_size();
        }
        RowGroup group = new RowGroup(chunks, bytes, groupRows);
        group.setFile_offset(begin);
        group.setTotal_compressed_size(position - begin);
        groups.add(group);
        rowCount += groupRows;
        groupRows = 0;
        groupBytes = 0;
    }

    /** One page for each column of a group. */
    private ColumnMetaData writeChunk(ParquetColumn<T> column, ColumnValues content) throws IOException {
        int count = content.count();
        page.clear();
        content.moveTo(page);
        int most = Math.toIntExact(Zstd.compressBound(page.size()));
        if (packed.length < most) {
            packed = new byte[most];
        }
        int length =
                Math.toIntExact(Zstd.compressByteArray(packed, 0, packed.length, page.array(), 0, page.size(), LEVEL));
        PageHeader header = new PageHeader(PageType.DATA_PAGE, page.size(), length);
        header.setData_page_header(new DataPageHeader(count, Encoding.PLAIN, Encoding.RLE, Encoding.RLE));
        long begin = position;
        Util.writePageHeader(header, counted());
        long written = position;
        write(packed, length);
        return new ColumnMetaData(
                column.type().stored(),
                List.of(Encoding.PLAIN, Encoding.RLE),
                path(column),
                CompressionCodec.ZSTD,
                count,
                written - begin + page.size(),
                position - begin,
                begin);
    }

    private static List<String> path(ParquetColumn<?> column) {
        return column.type() == ParquetType.STRINGS
                ? List.of(column.name(), "list", "element")
                : List.of(column.name());
    }

    private List<SchemaElement> schema() {
        SchemaElement root = new SchemaElement("schema");
        root.setNum_children(columns.size());
        List<SchemaElement> all = new ArrayList<>(List.of(root));
        for (ParquetColumn<T> column : columns) {
            if (column.type() == ParquetType.STRINGS) {
                SchemaElement list = new SchemaElement(column.name());
                list.setRepetition_type(FieldRepetitionType.REQUIRED);
                list.setConverted_type(ConvertedType.LIST);
                list.setLogicalType(LogicalType.LIST(new org.apache.parquet.format.ListType()));
                list.setNum_children(1);
                SchemaElement repeated = new SchemaElement("list");
                repeated.setRepetition_type(FieldRepetitionType.REPEATED);
                repeated.setNum_children(1);
                all.addAll(List.of(list, repeated, column.type().element("element")));
            } else {
                all.add(column.type().element(column.name()));
            }
        }
        return all;
    }

    private void write(byte[] bytes, int length) throws IOException {
        out.write(bytes, 0, length);
        position += length;
    }

    /** Writes to the file, and counts. */
    private OutputStream counted() {
        return new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                ParquetWriter.this.write(new byte[] {(byte) one}, 1);
            }

            @Override
            public void write(byte[] from, int offset, int length) throws IOException {
                out.write(from, offset, length);
                position += length;
            }
        };
    }
}
