package dev.assay.domain.results.promptfoo;

import dev.assay.domain.results.source.JsonText;

/**
 * A row of results, by what orders it.
 *
 * @param test number of the test as the tool counts, which counts repetitions anew
 * @param prompt number of the column
 * @param content the same for tests that are equal
 */
record PromptfooRow(int test, int prompt, String content, JsonText text) {}
