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

/** Makes documents that others may send of documents that are right. */
final class DocumentMutator {

    private final Random random;
    private final List<String> names;

    /** @param names of fields, which stand where they should and elsewhere */
    DocumentMutator(long seed, List<String> names) {
        this.random = new Random(seed);
        this.names = List.copyOf(names);
    }

    /** A refused document: each error has a path and a message. */
    static void assertNamesErrors(AssayException refused, String written) {
        assertThat(refused.code()).as(written).isEqualTo(ErrorCode.INVALID_INPUT);
        assertThat(refused.errors()).as(written).isNotEmpty().allSatisfy(error -> {
            assertThat(error.path()).isNotBlank();
            assertThat(error.message()).isNotBlank();
        });
    }

    /** Changes a document in one to three places. */
    void mutate(ObjectNode document) {
        for (int mutations = 1 + random.nextInt(3); mutations > 0; mutations--) {
            mutateOnce(document);
        }
    }

    private void mutateOnce(ObjectNode document) {
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
