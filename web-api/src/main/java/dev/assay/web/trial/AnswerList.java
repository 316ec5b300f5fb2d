package dev.assay.web.trial;

import dev.assay.store.result.AnswerExcerpt;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;

/**
 * Answers as a list of cases shows them.
 *
 * @param items by their places; a cell without an outcome has none
 */
@Schema(name = "AnswerList")
record AnswerList(List<AnswerExcerpt> items) {

    AnswerList {
        items = List.copyOf(items);
    }
}
