package dev.assay.domain.results.inspect;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.results.source.JsonText;
import org.jspecify.annotations.Nullable;

/**
 * A sample of a log, by what names it.
 *
 * @param id a number or a text
 * @param epoch from 1
 * @param text the sample
 * @param prefix of the entries of a sample that is stored in pieces; null: it is not
 */
record LogSample(
        JsonNode id, int epoch, JsonText text, @Nullable String prefix) {}
