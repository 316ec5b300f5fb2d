package dev.assay.cli.results;

import com.fasterxml.jackson.core.JsonParser;
import dev.assay.domain.results.source.JsonText;
import dev.assay.domain.results.source.ResultTokens;
import java.io.IOException;
import java.io.InputStream;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipFile;

/** An entry of an archive. Its length and checksum are those that the archive states, or reading fails. */
record EntryText(ZipFile archive, ZipArchiveEntry entry, String place) implements JsonText {

    @Override
    public JsonParser open() throws IOException {
        InputStream content = archive.getInputStream(entry);
        if (content == null) {
            throw new IOException("Its compression is not known.");
        }
        return ResultTokens.factory().createParser(new CheckedEntry(content, entry.getSize(), entry.getCrc()));
    }

    @Override
    public JsonText part(long from, long length, String where) {
        throw new IllegalStateException("Entries are read as a whole");
    }
}
