package dev.assay.domain.results.source;

import java.io.IOException;
import java.io.InputStream;

/** A text of JSON that can be read again, as a whole and in parts. */
public interface JsonText {

    /** Its file, and its entry where the file is an archive, for people. */
    String place();

    /**
     * Opens it.
     *
     * @throws IOException when it cannot be read, with a message that ends a sentence about its place
     */
    InputStream open() throws IOException;

    /**
     * A part.
     *
     * @param from its first byte
     * @param length in bytes
     * @param place for people
     */
    JsonText part(long from, long length, String place);
}
