package dev.assay.domain.results.openai;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.replay.RequestKey;
import dev.assay.domain.results.form.Neutral;
import dev.assay.domain.results.source.BadResults;
import dev.assay.domain.results.source.JsonText;

/**
 * An output item, by what orders it.
 *
 * @param place where it stands among the items of the data source
 * @param content the same for equal items of the data source
 * @param sampleModel the model that its sample names; empty: none
 */
record EvalItem(
        String id,
        String eval,
        String run,
        long place,
        long createdAt,
        String content,
        String sampleModel,
        JsonText text) {

    static EvalItem of(JsonNode item, JsonText text) {
        boolean isItem = item.path("eval_id").isTextual()
                && item.path("run_id").isTextual()
                && item.path("datasource_item_id").isIntegralNumber()
                && item.path("datasource_item").isObject()
                && item.path("sample").isObject();
        if (!isItem) {
            throw BadResults.at(
                    text.place(),
                    "An output item has `eval_id`, `run_id`, `datasource_item_id`, `datasource_item` and `sample`.");
        }
        return new EvalItem(
                item.path("id").asText(),
                item.path("eval_id").asText(),
                item.path("run_id").asText(),
                item.path("datasource_item_id").asLong(),
                item.path("created_at").asLong(0),
                RequestKey.sha256(RequestKey.canonical(Neutral.plain(item.path("datasource_item")))),
                item.path("sample").path("model").asText(""),
                text);
    }
}
