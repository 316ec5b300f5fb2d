package dev.assay.domain.document;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.JsonParserDelegate;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A parser of which 1,024 tokens are a step of the reading. */
final class HeedingParser extends JsonParserDelegate {

    private static final int TOKENS = 1_024;

    private int left = TOKENS;

    HeedingParser(JsonParser parser) {
        super(parser);
    }

    @Override
    public @Nullable JsonToken nextToken() throws IOException {
        if (--left == 0) {
            left = TOKENS;
            ReadingSteps.step();
        }
        return super.nextToken();
    }
}
