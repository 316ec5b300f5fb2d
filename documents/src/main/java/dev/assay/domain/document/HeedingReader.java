package dev.assay.domain.document;

import java.io.IOException;
import java.io.StringReader;

/** The characters of a text, handed out piece by piece; each piece is a step of the reading. */
public final class HeedingReader extends StringReader {

    public HeedingReader(String text) {
        super(text);
    }

    @Override
    public int read(char[] buffer, int offset, int length) throws IOException {
        ReadingSteps.step();
        return super.read(buffer, offset, length);
    }
}
