package dev.assay.domain.results.source;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;

/** A text of JSON that can be read again, as a whole and in parts. */
public interface JsonText {

    /** Its file, and its entry where the file is an archive, for people. */
    String place();

    /**
     * Opens it, by {@link ResultTokens#factory}.
     *
     * @throws IOException when it cannot be read, with a message that ends a sentence about its place
     */
    JsonParser open() throws IOException;

    /**
     * A part.
     *
     * @param from its first byte
     * @param length in bytes
     * @param place for people
     */
    JsonText part(long from, long length, String place);
}
