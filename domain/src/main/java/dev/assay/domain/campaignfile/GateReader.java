package dev.assay.domain.campaignfile;

import dev.assay.domain.campaign.Branch;
import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.document.Suggestion;
import dev.assay.domain.document.TextRules;
import dev.assay.domain.gate.GatePolicy;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads what a campaign must reach. */
final class GateReader {

    static final Fields FIELDS = Fields.of("gate", "passThreshold", "suiteThreshold", "branches");

    private static final NumberRule THRESHOLD = NumberRule.between(0, 1).withCode("EVAL_INVALID_THRESHOLD");

    private GateReader() {}

    static GatePolicy read(FieldReader document, List<Branch> branches) {
        FieldReader fields = document.objectOrEmpty("gate", FIELDS);
        BigDecimal pass = fields.decimal("passThreshold", THRESHOLD);
        BigDecimal suite = fields.nullableDecimal("suiteThreshold", THRESHOLD);
        // Every item is kept, usable or not, so that the place in the list is the place in the document.
        List<String> named = fields.list("branches", (node, path, problems) -> {
            String text = TextRules.textItem(node, path, problems);
            return text == null ? "" : text;
        });
        checkNames(fields, named, branches.stream().map(Branch::id).toList());
        return new GatePolicy(
                pass == null ? GatePolicy.DEFAULT.passThreshold() : pass.doubleValue(),
                suite == null ? null : suite.doubleValue(),
                named);
    }

    private static void checkNames(FieldReader fields, List<String> named, List<String> known) {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < named.size(); i++) {
            String path = DocumentPath.item(fields.path("branches"), i);
            String name = named.get(i);
            if (fields.problems().foundAt(path)) {
                continue;
            }
            if (!known.contains(name)) {
                String suggestion = Suggestion.of(name, new ArrayList<>(known), "branches");
                fields.problems().add(path, "There is no branch `" + name + "`; " + suggestion);
            } else if (!seen.add(name)) {
                fields.problems().add(path, "Branch `" + name + "` is named twice; remove one.");
            }
        }
    }
}
