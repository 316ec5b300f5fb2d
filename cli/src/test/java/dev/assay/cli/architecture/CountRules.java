package dev.assay.cli.architecture;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructor;
import dev.assay.domain.evidence.CaseEvidence;
import dev.assay.domain.gate.CaseGate;
import dev.assay.domain.gate.GateDecision;
import dev.assay.domain.gate.Proportion;
import dev.assay.domain.gate.RateRule;
import dev.assay.domain.gate.SettledBranch;
import dev.assay.domain.gate.SureLook;
import dev.assay.domain.statistics.CaseCounts;
import dev.assay.domain.statistics.TrialRate;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/**
 * Where raw counts of trials may become evidence, rates or verdicts: what counts is decided once, so that every surface shows the
 * same number.
 */
final class CountRules {

    /** The account itself, and the formulas, which are told what to count. */
    private static final Set<String> ACCOUNT = Set.of(
            "dev.assay.domain.evidence",
            "dev.assay.domain.gate",
            "dev.assay.domain.report",
            "dev.assay.domain.statistics");

    /** Other classes that count, each with its reason. */
    static final Map<String, String> EXCEPTIONS = Map.of(
            "dev.assay.domain.comparison.RateMetrics",
                    "cases that passed are counted of the cases that two campaigns share",
            "dev.assay.domain.estimate.RecordedRate", "a forecast takes the known trials of a campaign that has ended",
            "dev.assay.domain.scoring.FlipTally",
                    "two verdicts on one answer are compared, and what is unknown is no part of that",
            "dev.assay.domain.stop.StopTally", "a running campaign settles cases cell by cell, and takes cells back",
            "dev.assay.domain.stop.SureLooks", "a look is taken of complete rounds, not of cases",
            "dev.assay.store.result.ComparisonRepository", "the database counts the cells of a hundred thousand cases",
            "dev.assay.store.evidence.RedrawnCases", "the first draws are put in the place of those cells");

    private static final Map<Class<?>, Set<String>> COUNTING = Map.of(
            Proportion.class, Set.of("of", "ofTrials", "verdict", JavaConstructor.CONSTRUCTOR_NAME),
            TrialRate.class, Set.of("of", "ofGroups", JavaConstructor.CONSTRUCTOR_NAME),
            CaseCounts.class, Set.of(JavaConstructor.CONSTRUCTOR_NAME),
            CaseEvidence.class, Set.of(JavaConstructor.CONSTRUCTOR_NAME),
            CaseGate.class, Set.of("of", JavaConstructor.CONSTRUCTOR_NAME),
            GateDecision.class, Set.of("ofLook", JavaConstructor.CONSTRUCTOR_NAME),
            RateRule.class, Set.of("verdict"),
            SettledBranch.class, Set.of("of"),
            SureLook.class, Set.of("verdict"));

    private CountRules() {}

    /** The top-level classes of {@code classes} outside the account that make rates or verdicts of counts. */
    static Set<String> counting(JavaClasses classes) {
        return classes.stream()
                .filter(type -> !isOfAccount(type.getPackageName()))
                .filter(CountRules::counts)
                .map(type -> type.getName().split("\\$", 2)[0])
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static boolean isOfAccount(String name) {
        return ACCOUNT.stream().anyMatch(one -> name.equals(one) || name.startsWith(one + "."));
    }

    private static boolean counts(JavaClass type) {
        return type.getAccessesFromSelf().stream().anyMatch(access -> isCounting(access.getTarget()));
    }

    private static boolean isCounting(AccessTarget target) {
        return COUNTING.entrySet().stream()
                .anyMatch(entry -> target.getOwner().isEquivalentTo(entry.getKey())
                        && entry.getValue().contains(target.getName()));
    }

    /** Classes that must not stand outside the account. */
    static final Set<Class<?>> OFFENDERS = Set.of(Call.class, Reference.class, Construction.class);

    static final class Call {
        Proportion offend() {
            return Proportion.of(1, 2);
        }
    }

    static final class Reference {
        BiFunction<Integer, Integer, Proportion> offend() {
            return Proportion::of;
        }
    }

    static final class Construction {
        CaseCounts offend() {
            return new CaseCounts(1, 0, 2);
        }
    }
}
