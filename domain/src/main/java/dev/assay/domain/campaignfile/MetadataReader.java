package dev.assay.domain.campaignfile;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.campaign.CampaignMetadata;
import dev.assay.domain.document.ActualValue;
import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.document.FieldReader;
import java.util.Map;
import java.util.TreeMap;

/** The reader of {@code metadata} at the top of a campaign file. */
final class MetadataReader {

    static final String NAME = "metadata";

    private MetadataReader() {}

    static CampaignMetadata read(FieldReader fields) {
        Map<String, JsonNode> entries = fields.entries(NAME);
        String tooMany = CampaignMetadata.countProblem(entries.size());
        if (tooMany != null) {
            fields.problem(NAME, tooMany);
            return CampaignMetadata.NONE;
        }
        Map<String, String> values = new TreeMap<>();
        entries.forEach((name, node) -> {
            String wrong = node.isTextual()
                    ? CampaignMetadata.problem(name, node.textValue())
                    : "The value must be a text in quotes, but is " + ActualValue.describe(node) + ".";
            if (wrong == null) {
                values.put(name, node.textValue());
            } else {
                fields.problems().add(DocumentPath.field(fields.path(NAME), name), wrong);
            }
        });
        return new CampaignMetadata(values);
    }
}
