package dev.assay.domain.campaignfile;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.check.Check;
import dev.assay.domain.check.GroupRule;
import dev.assay.domain.check.LostRule;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.document.TextRules;
import dev.assay.domain.gate.LostParts;
import dev.assay.domain.json.Json;
import dev.assay.domain.suite.Suite;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The reader and writer of {@code lost}: what an import left out of a campaign. */
final class LostReader {

    static final Fields FIELDS = Fields.of("lost", "cases", "checks", "providers", "prompts", "tests", "settings");

    private static final String FIELD = "lost";
    private static final NumberRule COUNT = NumberRule.whole(0, 1_000_000);

    private LostReader() {}

    /** Reads the field; null: nothing was left out. */
    static @Nullable LostParts read(FieldReader document) {
        if (!document.hasValue(FIELD)) {
            return null;
        }
        FieldReader fields = document.objectOrEmpty(FIELD, FIELDS);
        List<String> checks = fields.list("checks", TextRules.lineItem(LostRule.MAX_WAS));
        return new LostParts(
                        fields.integer("cases", COUNT, 0),
                        checks.subList(0, Math.min(checks.size(), LostParts.NAMED)),
                        fields.integer("providers", COUNT, 0),
                        fields.integer("prompts", COUNT, 0),
                        fields.integer("tests", COUNT, 0),
                        fields.integer("settings", COUNT, 0))
                .orNull();
    }

    static void write(@Nullable LostParts lost, ObjectNode document) {
        if (lost != null) {
            document.set(FIELD, Json.mapper().valueToTree(lost));
        }
    }

    /** The same with what the cases of a suite lost, which its checks say. */
    static @Nullable LostParts with(@Nullable LostParts written, Suite suite) {
        Set<String> all = new LinkedHashSet<>();
        int cases = 0;
        for (var one : suite.cases()) {
            Set<String> own = new LinkedHashSet<>();
            add(one.checks().all(), own);
            cases += own.isEmpty() ? 0 : 1;
            all.addAll(own);
        }
        LostParts parts = written == null ? LostParts.NONE : written;
        return parts.ofSuite(cases, all.stream().limit(LostParts.NAMED).toList())
                .orNull();
    }

    private static void add(List<Check> checks, Set<String> lost) {
        for (Check check : checks) {
            if (!check.role().required()) {
                continue;
            }
            switch (check.rule()) {
                case LostRule(String was, var _) -> lost.add(was);
                case GroupRule(List<Check> members, var _) -> add(members, lost);
                default -> {}
            }
        }
    }
}
