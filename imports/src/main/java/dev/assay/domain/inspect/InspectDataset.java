package dev.assay.domain.inspect;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.check.TargetCheck;
import dev.assay.domain.document.ActualValue;
import dev.assay.domain.document.DocumentLimits;
import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.document.Problems;
import dev.assay.domain.imports.FreeIds;
import dev.assay.domain.imports.ImportReport;
import dev.assay.domain.imports.Imported;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A data set in the form of Inspect as a campaign file: a case for each sample. */
public final class InspectDataset {

    private InspectDataset() {}

    /**
     * Reads the samples.
     *
     * @param samples in order
     * @param branches who answers; empty: the file lacks its branches
     * @param check how answers are compared to targets; null: as Inspect does, by {@code icontains} or by the chosen letter
     */
    public static Imported read(
            List<? extends JsonNode> samples, String name, List<InspectBranch> branches, @Nullable TargetCheck check) {
        ImportReport report = new ImportReport();
        ObjectNode campaign = JsonNodeFactory.instance.objectNode().put("name", name);
        ArrayNode cases = campaign.putArray("cases");
        FreeIds ids = new FreeIds();
        for (int i = 0; i < samples.size(); i++) {
            String path = DocumentPath.item("", i);
            JsonNode sample = samples.get(i);
            Problems deep = new Problems();
            if (!(sample instanceof ObjectNode object)) {
                report.error(path, "A sample must be an object, but is " + ActualValue.describe(sample) + ".");
            } else if (DocumentLimits.isShallow(object, path, deep)) {
                String number = String.valueOf(i + 1);
                String id = object.path("id").asText("");
                cases.add(
                        new SampleReader(object, path, report, check).read(ids.of(id.isBlank() ? number : id, number)));
            }
            deep.errors().forEach(error -> report.error(error.path(), error.message()));
        }
        if (samples.isEmpty()) {
            report.error("", "There is no sample; write one.");
        }
        FreeIds branchIds = new FreeIds();
        branches.forEach(
                branch -> campaign.withArray("branches").add(branch.branch(branchIds.of(branch.name(), "branch"))));
        if (branches.size() > 1) {
            campaign.putObject("strategy").put("type", "pick-first");
        }
        report.putLost(campaign);
        return new Imported(campaign, report);
    }
}
