package dev.assay.campaigns.baseline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.campaignfile.CampaignSubmission;
import dev.assay.domain.comparison.ComparedCase;
import dev.assay.domain.comparison.PairedCases;
import dev.assay.domain.document.Problems;
import dev.assay.domain.estimate.RecordedBaseline;
import dev.assay.domain.gate.BaselineRule;
import dev.assay.domain.gate.Pairing;
import dev.assay.domain.json.Json;
import dev.assay.domain.report.BaselineReport;
import dev.assay.domain.report.CampaignSummary;
import dev.assay.domain.suite.Case;
import dev.assay.domain.suite.Suite;
import dev.assay.domain.text.Excerpt;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.evaluator.EvaluatorRepository;
import dev.assay.store.result.ComparisonRepository;
import dev.assay.store.suite.CaseRepository;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The earlier campaigns that gates name: whether they are there, what is planned by them, and what is compared with them. */
@Singleton
public class Baselines {

    private final CampaignRepository campaigns;
    private final ComparisonRepository trials;
    private final CaseRepository cases;
    private final EvaluatorRepository evaluators;

    Baselines(
            CampaignRepository campaigns,
            ComparisonRepository trials,
            CaseRepository cases,
            EvaluatorRepository evaluators) {
        this.evaluators = evaluators;
        this.campaigns = campaigns;
        this.trials = trials;
        this.cases = cases;
    }

    /**
     * Checks that the campaign which the gate names is there, with a branch for each that the gate looks at.
     *
     * @throws dev.assay.domain.error.AssayException INVALID_INPUT when it is not
     */
    public void check(CampaignDefinition definition) {
        BaselineRule rule = definition.gate().baseline();
        if (rule == null) {
            return;
        }
        Problems problems = new Problems();
        StoredCampaign earlier = campaigns.find(rule.campaign()).orElse(null);
        if (earlier == null) {
            problems.add("gate.baseline.campaign", "There is no campaign " + Excerpt.of(rule.campaign()) + ".");
        } else {
            checkBranches(gated(definition), rule, earlier, problems);
        }
        problems.throwIfAny("campaign file");
    }

    private static void checkBranches(
            List<String> gated, BaselineRule rule, StoredCampaign earlier, Problems problems) {
        List<String> known = ids(earlier.definition());
        gated.stream()
                .filter(id -> index(rule, id, known) < 0)
                .findFirst()
                .ifPresent(id -> problems.add(
                        "gate.baseline.branch",
                        "Campaign " + earlier.id() + " has no branch "
                                + Excerpt.of(rule.branch() == null ? id : rule.branch()) + "; name one of "
                                + String.join(", ", known) + "."));
    }

    /** The gated branches of a campaign that has ended, each beside its counterpart; a counterpart that is gone has no cases. */
    @ReadOnly
    public List<BaselineReport> compared(StoredCampaign campaign, CampaignSummary summary, BaselineRule rule) {
        StoredCampaign earlier = campaigns.find(rule.campaign()).orElse(null);
        List<String> known = earlier == null ? List.of() : ids(earlier.definition());
        List<String> own = ids(campaign.definition());
        return summary.gatedBranches().stream()
                .map(branch -> {
                    int counterpart = index(rule, branch.branchId(), known);
                    int index = own.indexOf(branch.branchId());
                    PairedCases pairs = PairedCases.of(
                            paired(earlier, counterpart, rule.pair()), paired(campaign, index, rule.pair()));
                    BaselineReport report = BaselineReport.of(
                            branch.branchId(),
                            rule,
                            rule.counterpart(branch.branchId(), known),
                            pairs.rates(),
                            pairs.first().doubt().and(pairs.second().doubt()),
                            earlier == null || counterpart < 0
                                    ? 0
                                    : trials.sharedDraws(earlier, counterpart, campaign, index));
                    return differ(rule, earlier, counterpart, campaign, index) ? report.judgedOtherwise() : report;
                })
                .toList();
    }

    /** Whether the pairs may compare evaluators instead of branches. Where content pairs cases, they have the same checks. */
    private boolean differ(
            BaselineRule rule, @Nullable StoredCampaign earlier, int counterpart, StoredCampaign campaign, int index) {
        return rule.pair() == Pairing.QUESTION
                && earlier != null
                && counterpart >= 0
                && !evaluators.used(earlier.id(), counterpart).isSameAs(evaluators.used(campaign.id(), index));
    }

    private List<ComparedCase> paired(@Nullable StoredCampaign campaign, int branchIndex, Pairing pairing) {
        return campaign == null || branchIndex < 0 ? List.of() : trials.cases(campaign, branchIndex, pairing, false);
    }

    /** The trials of the baseline of the first gated branch; null: the gate has none, or nothing is known of it. */
    @ReadOnly
    public @Nullable RecordedBaseline planned(CampaignSubmission planned) {
        CampaignDefinition definition = planned.definition();
        BaselineRule rule = definition.gate().baseline();
        StoredCampaign earlier =
                rule == null ? null : campaigns.find(rule.campaign()).orElse(null);
        if (rule == null || earlier == null) {
            return null;
        }
        int index = index(rule, gated(definition).getFirst(), ids(earlier.definition()));
        return index < 0 ? null : planned(planned.suite(), earlier, index, rule.pair());
    }

    private @Nullable RecordedBaseline planned(Suite suite, StoredCampaign earlier, int branchIndex, Pairing pairing) {
        Set<String> shared = shared(suite, earlier, pairing);
        OptionalDouble rate = trials.cases(earlier, branchIndex, null, false).stream()
                .filter(one -> shared.contains(one.caseId()))
                .map(ComparedCase::counts)
                .filter(one -> one.known() > 0)
                .mapToDouble(one -> (double) one.passed() / one.known())
                .average();
        return rate.isEmpty() && !shared.isEmpty()
                ? null
                : new RecordedBaseline(rate.orElse(0), earlier.trials(), shared.size());
    }

    /** The ids of the cases of {@code suite} that the campaign has, too. */
    private Set<String> shared(Suite suite, StoredCampaign earlier, Pairing pairing) {
        if (CaseRepository.id(new Suite(earlier.suite().name(), suite.cases())).equals(earlier.suiteId())) {
            return suite.cases().stream().map(Case::id).collect(Collectors.toSet());
        }
        Map<String, JsonNode> others = new HashMap<>();
        cases.find(
                        earlier.suiteId(),
                        IntStream.range(0, earlier.caseCount()).boxed().toList())
                .values()
                .forEach(one -> others.put(one.id(), content(one, pairing)));
        return suite.cases().stream()
                .filter(one -> content(one, pairing).equals(others.get(one.id())))
                .map(Case::id)
                .collect(Collectors.toSet());
    }

    /** What a comparison pairs cases by: tags only sort them, and vars are part of what a branch makes of a prompt. */
    private static JsonNode content(Case one, Pairing pairing) {
        ObjectNode content = (ObjectNode) Json.tree(Json.write(one));
        content.remove(List.of("tags", "vars"));
        if (pairing == Pairing.QUESTION) {
            content.remove(List.of("checks", "threshold", "transform", "metadata"));
        }
        return content;
    }

    /** The place of a branch's counterpart among the branches {@code known} of the earlier campaign; below 0: there is none. */
    private static int index(BaselineRule rule, String branchId, List<String> known) {
        String counterpart = rule.counterpart(branchId, known);
        return counterpart == null ? -1 : known.indexOf(counterpart);
    }

    private static List<String> gated(CampaignDefinition definition) {
        List<String> gated = definition.gate().branches();
        return gated.isEmpty() ? ids(definition) : gated;
    }

    private static List<String> ids(CampaignDefinition definition) {
        return definition.branches().stream().map(Branch::id).toList();
    }
}
