package dev.assay.web.connection;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.GZIPOutputStream;

/** Packs bodies. */
final class Gzip {

    private Gzip() {}

    static byte[] of(byte[] body) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(body);
        }
        return packed.toByteArray();
    }
}
