package dev.assay.domain.campaignfile;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.json.Json;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever stands in a document: it is accepted, by the JSON Schema too, or every error has a path and a message. */
@Tag("slow")
class CampaignFuzzTest {

    private static final int DOCUMENTS = 4_000;

    private final DocumentMutator mutator = new DocumentMutator(
            7,
            CampaignReader.fields().stream()
                    .flatMap(fields -> fields.names().stream())
                    .distinct()
                    .toList());

    @Test
    void shouldAcceptOrNameErrorsWhenADocumentIsMutated() {
        int accepted = 0;
        for (int i = 0; i < DOCUMENTS; i++) {
            ObjectNode document = seed(i);
            mutator.mutate(document);
            accepted += accepts(document) ? 1 : 0;
        }

        assertThat(accepted).isBetween(DOCUMENTS / 50, DOCUMENTS / 2);
    }

    private static ObjectNode seed(int i) {
        CampaignFile full = CampaignFile.full();
        return switch (i % 3) {
            case 0 -> full.document();
            case 1 ->
                full.with(
                                "/branches/0",
                                "{id: r, kind: replay, provider: p, model: m, cassette: [" + RecordedAnswers.ENTRY
                                        + "]}")
                        .document();
            default ->
                full.with(
                                "/branches/0",
                                "{id: s, kind: scripted, script: {answers: [a], failures: [{status: 500}], usage:"
                                        + " {input: 1}}}")
                        .document();
        };
    }

    private static boolean accepts(JsonNode document) {
        String written = document.toString();
        try {
            CampaignSubmission submission = CampaignReader.read(document, CampaignFile.PROVIDERS);
            assertThat(CampaignReader.readStored(Json.tree(Json.write(submission.document()))))
                    .as(written)
                    .isEqualTo(submission.definition());
            assertThat(PublishedSchema.CAMPAIGN.violations(document))
                    .as(written)
                    .isEmpty();
            return true;
        } catch (AssayException e) {
            DocumentMutator.assertNamesErrors(e, written);
            return false;
        } catch (RuntimeException | Error e) {
            throw new AssertionError("Reading failed on " + written, e);
        }
    }
}
