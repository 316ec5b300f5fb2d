package dev.assay.web.campaign;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.filter.FilteringParserDelegate;
import com.fasterxml.jackson.core.filter.TokenFilter;
import dev.assay.domain.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * A report without the results of each case, which are most of a large one. It is read token by token: a tree takes ten times its
 * size.
 */
final class ReportWithoutCases {

    private static final TokenFilter WITHOUT_CASES = new TokenFilter() {
        @Override
        public TokenFilter includeProperty(String name) {
            return name.equals("branches") ? BRANCH : INCLUDE_ALL;
        }
    };

    private static final TokenFilter BRANCH = new TokenFilter() {
        @Override
        public TokenFilter includeProperty(String name) {
            return name.equals("cases") ? NO_CASES : INCLUDE_ALL;
        }
    };

    private static final TokenFilter NO_CASES = new TokenFilter() {
        @Override
        @SuppressWarnings("NullAway") // null leaves the case out
        public TokenFilter includeElement(int index) {
            return null;
        }

        @Override
        public boolean includeEmptyArray(boolean contentsFiltered) {
            return true;
        }
    };

    private ReportWithoutCases() {}

    /** The same report, whose branches have no {@code cases}. */
    static byte[] of(byte[] report) {
        ByteArrayOutputStream shorter = new ByteArrayOutputStream();
        try (JsonParser all = Json.mapper().createParser(report);
                JsonParser kept = new FilteringParserDelegate(
                        all, WITHOUT_CASES, TokenFilter.Inclusion.INCLUDE_ALL_AND_PATH, true);
                JsonGenerator generator = Json.mapper().createGenerator(shorter)) {
            while (kept.nextToken() != null) {
                generator.copyCurrentEventExact(kept);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("A stored report is no JSON", e);
        }
        return shorter.toByteArray();
    }
}
