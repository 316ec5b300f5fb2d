package dev.assay.domain.campaignfile.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.agent.ModelAccess;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.document.Problems;
import dev.assay.domain.document.TextRules;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The fields of {@code models}: what a program may ask through the model proxy. */
public final class ModelFields {

    /** Their names. */
    public static final Fields FIELDS = Fields.of("branchModels", "provider", "allow", "maxTokens");

    private static final String NAME = "models";

    private static final NumberRule TOKENS = NumberRule.whole(1, 100_000_000);

    private ModelFields() {}

    /** Reads them; null: the branch has none, or none that can be read. */
    static @Nullable ModelAccess read(FieldReader branch) {
        if (!branch.hasValue(NAME)) {
            return null;
        }
        FieldReader fields = branch.object(NAME, FIELDS);
        if (fields == null) {
            return null;
        }
        String provider = fields.text("provider");
        List<String> allow = fields.nonEmptyList("allow", ModelFields::model);
        if (allow.size() > ModelAccess.MAX_MODELS) {
            fields.problem(
                    "allow",
                    "`models.allow` has " + allow.size() + " names; name at most " + ModelAccess.MAX_MODELS + ".");
        }
        if (new HashSet<>(allow).size() < allow.size()) {
            fields.problem("allow", "`models.allow` names a model twice; remove one.");
        }
        Integer maxTokens = fields.hasValue("maxTokens") ? (Integer) fields.integer("maxTokens", TOKENS, 1) : null;
        return new ModelAccess(provider, allow.isEmpty() ? List.of("?") : allow, maxTokens);
    }

    private static @Nullable String model(JsonNode node, String path, Problems problems) {
        return TextRules.fullTextItem(node, path, problems);
    }

    /** Writes them back. */
    static void write(ModelAccess models, ObjectNode node) {
        node.put("provider", models.provider());
        models.allow().forEach(node.withArray("allow")::add);
        if (models.maxTokens() != null) {
            node.put("maxTokens", models.maxTokens());
        }
    }
}
