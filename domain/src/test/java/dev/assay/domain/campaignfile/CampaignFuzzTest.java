package dev.assay.domain.campaignfile;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.json.Json;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever stands in a document: it is accepted, by the JSON Schema too, or every error has a path and a message. */
@Tag("slow")
class CampaignFuzzTest {

    private static final int DOCUMENTS = 4_000;

    private final Random random = new Random(7);
    private final List<String> names = CampaignReader.fields().stream()
            .flatMap(fields -> fields.names().stream())
            .distinct()
            .toList();

    @Test
    void shouldAcceptOrNameErrorsWhenADocumentIsMutated() {
        int accepted = 0;
        for (int i = 0; i < DOCUMENTS; i++) {
            ObjectNode document = seed(i);
            for (int mutations = 1 + random.nextInt(3); mutations > 0; mutations--) {
                mutate(document);
            }
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
            assertThat(e.code()).as(written).isEqualTo(ErrorCode.INVALID_INPUT);
            assertThat(e.errors()).as(written).isNotEmpty().allSatisfy(error -> {
                assertThat(error.path()).isNotBlank();
                assertThat(error.message()).isNotBlank();
            });
            return false;
        } catch (RuntimeException | Error e) {
            throw new AssertionError("Reading failed on " + written, e);
        }
    }

    private void mutate(ObjectNode document) {
        List<JsonNode> containers = new ArrayList<>();
        collect(document, containers);
        JsonNode target = containers.get(random.nextInt(containers.size()));
        if (target instanceof ObjectNode object) {
            mutateObject(object);
        } else {
            mutateList((ArrayNode) target);
        }
    }

    private static void collect(JsonNode node, List<JsonNode> containers) {
        if (node.isContainerNode()) {
            containers.add(node);
            node.forEach(child -> collect(child, containers));
        }
    }

    private void mutateObject(ObjectNode object) {
        List<String> present = new ArrayList<>();
        object.fieldNames().forEachRemaining(present::add);
        int action = present.isEmpty() ? 2 : random.nextInt(3);
        switch (action) {
            case 0 -> object.remove(present.get(random.nextInt(present.size())));
            case 1 -> object.set(present.get(random.nextInt(present.size())), value());
            default -> object.set(random.nextInt(10) == 0 ? "" : names.get(random.nextInt(names.size())), value());
        }
    }

    private void mutateList(ArrayNode list) {
        int action = list.isEmpty() ? 2 : random.nextInt(4);
        switch (action) {
            case 0 -> list.remove(random.nextInt(list.size()));
            case 1 -> list.set(random.nextInt(list.size()), value());
            case 2 -> list.insert(random.nextInt(list.size() + 1), value());
            default -> list.add(list.get(random.nextInt(list.size())).deepCopy());
        }
    }

    private JsonNode value() {
        return switch (random.nextInt(16)) {
            case 0 -> Json.mapper().nullNode();
            case 1 -> Json.mapper().getNodeFactory().booleanNode(random.nextBoolean());
            case 2 -> Json.mapper().getNodeFactory().numberNode(random.nextInt(2_000) - 500);
            case 3 -> Json.mapper().getNodeFactory().numberNode(random.nextLong());
            case 4 -> Json.mapper().getNodeFactory().numberNode(new BigDecimal("0.5"));
            case 5 -> Json.mapper().getNodeFactory().numberNode(BigInteger.TEN.pow(random.nextInt(3_000)));
            case 6 -> Json.mapper().getNodeFactory().numberNode(new BigDecimal("1e" + random.nextInt()));
            case 7 -> DoubleNode.valueOf(random.nextBoolean() ? Double.NaN : Double.NEGATIVE_INFINITY);
            case 8 -> Json.mapper().getNodeFactory().textNode("");
            case 9 -> Json.mapper().getNodeFactory().textNode("a\0\ud800/..");
            case 10 -> Json.mapper().getNodeFactory().textNode(names.get(random.nextInt(names.size())));
            case 11 -> Json.mapper().getNodeFactory().textNode("((a|b)*+".repeat(random.nextInt(3)));
            case 12 -> Json.mapper().createArrayNode();
            case 13 -> Json.mapper().createArrayNode().add(value()).add(value());
            case 14 -> Json.mapper().createObjectNode();
            default -> Json.mapper().createObjectNode().set(names.get(random.nextInt(names.size())), value());
        };
    }
}
