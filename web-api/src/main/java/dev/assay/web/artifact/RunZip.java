package dev.assay.web.artifact;

import dev.assay.web.stream.WrittenStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** The directory of a run as an archive. Names are UTF-8; each file has the time at which the campaign was submitted. */
final class RunZip implements AutoCloseable {

    private final ZipOutputStream zip;
    private final FileTime time;

    RunZip(OutputStream out, Instant time) {
        this.zip = new ZipOutputStream(out, StandardCharsets.UTF_8);
        this.time = FileTime.from(time);
    }

    void add(String path, byte[] content) throws IOException {
        add(path, out -> out.write(content));
    }

    /** Adds a file of any size. */
    void add(String path, WrittenStream.Writing content) throws IOException {
        ZipEntry entry = new ZipEntry(path);
        entry.setLastModifiedTime(time);
        zip.putNextEntry(entry);
        content.to(new Content(zip));
        zip.closeEntry();
    }

    @Override
    public void close() throws IOException {
        zip.close();
    }

    /** The content of one entry: its end is not that of the archive. */
    private static final class Content extends FilterOutputStream {

        Content(OutputStream out) {
            super(out);
        }

        @Override
        public void write(byte[] from, int offset, int length) throws IOException {
            out.write(from, offset, length);
        }

        @Override
        public void close() throws IOException {
            flush();
        }
    }
}
