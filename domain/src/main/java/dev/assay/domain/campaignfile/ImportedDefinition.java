package dev.assay.domain.campaignfile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.agent.ImportedAgent;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.campaign.CampaignMetadata;
import dev.assay.domain.campaignfile.agent.StoredCassettes;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.Problems;
import dev.assay.domain.json.Json;
import dev.assay.domain.plan.OrderRule;
import dev.assay.domain.stop.StopRule;
import dev.assay.domain.suite.Case;
import dev.assay.domain.suite.CaseReader;
import dev.assay.domain.suite.Suite;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The definition of a campaign whose branches another tool asked. */
public final class ImportedDefinition {

    /** The fields of one of its branches. */
    static final Fields BRANCH = Fields.of("importedBranch", "id", "model", "provider", "parameters", "systemPrompt");

    private static final Fields FIELDS = Fields.of("import", "name", "branches", "trials", "gate", "description");

    private ImportedDefinition() {}

    /**
     * Reads the fields {@code name}, {@code branches}, {@code trials} and {@code gate} of an import, and reports what is wrong.
     *
     * @param tool stands for the provider where a branch names none
     */
    public static CampaignDefinition read(JsonNode header, String tool, Problems problems) {
        ObjectNode document = Json.mapper().createObjectNode();
        FIELDS.names().stream().filter(header::has).forEach(name -> document.set(name, header.get(name)));
        if (header.path("branches").isArray()) {
            document.remove("branches");
            header.get("branches")
                    .forEach(branch -> document.withArray("branches").add(stored(branch, tool)));
        }
        FieldReader fields = FieldReader.of(document, "", FIELDS, problems);
        for (int i = 0; i < header.path("branches").size(); i++) {
            var _ = FieldReader.of(header.get("branches").get(i), "branches[" + i + "]", BRANCH, problems);
        }
        return new DefinitionReader(new StoredCassettes())
                .read(
                        FieldReader.of(
                                document,
                                "",
                                new Fields(
                                        "import",
                                        CampaignReader.fields().getFirst().names()),
                                fields.problems()),
                        List.of());
    }

    private static JsonNode stored(JsonNode branch, String tool) {
        if (!(branch instanceof ObjectNode written)) {
            return branch;
        }
        ObjectNode stored = written.deepCopy().put("kind", ImportedAgent.KIND);
        if (!stored.hasNonNull("provider")) {
            stored.put("provider", tool);
        }
        if (!stored.has("id")) {
            stored.put("id", "");
        }
        return stored;
    }

    /** A reader of the cases, each id once. Reports what is wrong. */
    public static FieldReader.ItemReader<Case> cases() {
        return new CaseReader()::read;
    }

    /** The campaign as it is stored. */
    public static CampaignSubmission submission(
            CampaignDefinition definition, @Nullable String description, Suite suite) {
        return new CampaignSubmission(
                definition,
                suite,
                List.of(),
                DefinitionWriter.write(definition, description),
                StopRule.NONE,
                OrderRule.GIVEN,
                List.of(),
                CampaignMetadata.NONE);
    }
}
