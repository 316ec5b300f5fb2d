package dev.assay.domain.check;

import dev.assay.domain.check.code.CodeKinds;
import dev.assay.domain.check.graded.GradedKinds;
import dev.assay.domain.check.rule.CheckKind;
import dev.assay.domain.check.run.AtMostRule;
import dev.assay.domain.check.run.CommandContainsRule;
import dev.assay.domain.check.run.FileExistsRule;
import dev.assay.domain.check.run.FinishReasonRule;
import dev.assay.domain.check.run.FunctionCallRule;
import dev.assay.domain.check.run.MaxCommandCountRule;
import dev.assay.domain.check.run.ToolCallF1Rule;
import dev.assay.domain.check.run.ToolCalledRule;
import dev.assay.domain.check.run.TriggerExpectationRule;
import dev.assay.domain.check.structure.HtmlRule;
import dev.assay.domain.check.structure.JsonRule;
import dev.assay.domain.check.structure.XmlRule;
import dev.assay.domain.check.text.ContainsIgnoringCaseRule;
import dev.assay.domain.check.text.ContainsListRule;
import dev.assay.domain.check.text.ContainsRule;
import dev.assay.domain.check.text.EqualsRule;
import dev.assay.domain.check.text.LevenshteinRule;
import dev.assay.domain.check.text.RefusalRule;
import dev.assay.domain.check.text.RegexRule;
import dev.assay.domain.check.text.SimilarityRule;
import dev.assay.domain.check.text.StartsWithRule;
import dev.assay.domain.check.text.WordCountRule;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The kinds of check that there are. */
final class CheckKinds {

    /** FastSkill's kinds by their words, which are FastSkill's names. */
    static final Map<String, CheckKind> OF_FASTSKILL = named(Stream.of(
            TriggerExpectationRule.KIND, CommandContainsRule.KIND, FileExistsRule.KIND, MaxCommandCountRule.KIND));

    /** Every kind by its word, in the order in which they are documented. */
    static final Map<String, CheckKind> BY_WORD = named(Stream.of(
                    Stream.of(EqualsRule.KIND, ContainsRule.KIND, ContainsIgnoringCaseRule.KIND),
                    ContainsListRule.kinds(),
                    Stream.of(StartsWithRule.KIND, RegexRule.KIND, WordCountRule.KIND, LevenshteinRule.KIND),
                    SimilarityRule.kinds(),
                    Stream.of(RefusalRule.KIND, JsonRule.KIND, XmlRule.KIND, HtmlRule.KIND),
                    AtMostRule.kinds(),
                    Stream.of(FinishReasonRule.KIND, ToolCalledRule.KIND, ToolCallF1Rule.KIND, FunctionCallRule.KIND),
                    OF_FASTSKILL.values().stream(),
                    GradedKinds.all(),
                    CodeKinds.all(),
                    Stream.of(GroupRule.KIND, LostRule.KIND))
            .flatMap(kinds -> kinds));

    /**
     * Kinds whose time is proportional to the text. They are evaluated in place, unless the text is long. So are those that are decided
     * elsewhere: in place they say that this has not happened.
     */
    static final Set<String> LINEAR = Stream.concat(
                    Stream.of(
                            "equals",
                            "contains",
                            "icontains",
                            "contains-all",
                            "contains-any",
                            "icontains-all",
                            "icontains-any",
                            "starts-with",
                            "word-count",
                            "refusal",
                            "latency",
                            "cost",
                            "tokens",
                            "finish-reason",
                            "tool-called",
                            "tool-call-f1",
                            "trigger_expectation",
                            "command_contains",
                            "file_exists",
                            "max_command_count",
                            LostRule.WORD),
                    Stream.concat(GradedKinds.WORDS.stream(), CodeKinds.WORDS.stream()))
            .collect(Collectors.toUnmodifiableSet());

    /** Kinds whose time is not: what they read, or what the user wrote, decides it. They are evaluated in a compute process. */
    static final Set<String> DEMANDING =
            Set.of("regex", "levenshtein", "rouge-n", "bleu", "gleu", "json", "xml", "html", "function-call-valid");

    private CheckKinds() {}

    /** The kinds that have a field. */
    static List<CheckKind> withField(String field) {
        return BY_WORD.values().stream()
                .filter(kind -> kind.fields().contains(field))
                .toList();
    }

    private static Map<String, CheckKind> named(Stream<CheckKind> kinds) {
        return kinds.collect(Collectors.toMap(CheckKind::word, kind -> kind, (a, b) -> a, LinkedHashMap::new));
    }
}
