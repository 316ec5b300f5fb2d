package dev.assay.store.estimate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.campaignfile.CampaignSubmission;
import dev.assay.domain.comparison.ComparedCase;
import dev.assay.domain.estimate.NoRate;
import dev.assay.domain.estimate.RecordedBaseline;
import dev.assay.domain.estimate.RecordedRate;
import dev.assay.domain.gate.BaselineRule;
import dev.assay.domain.json.Json;
import dev.assay.domain.suite.Case;
import dev.assay.domain.suite.Suite;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.result.CaseQueries;
import dev.assay.store.result.ComparisonRepository;
import dev.assay.store.sql.Sql;
import dev.assay.store.suite.CaseRepository;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The pass rates that ended campaigns of the same cases had: what is done first is no sample, and other cases are others. */
@Singleton
class RecordedRates {

    /** Campaigns that are looked at, the newest first: one of a name and model most often has the same cases. */
    private static final int MOST = 20;

    /** Branches that asked what a planned one will ask: a model, program or system, or else one of the same id. */
    private static final String ENDED = """
        SELECT b.campaign_id, b.branch_index, s.suite_id, s.name AS suite_name
        FROM campaign_branch b JOIN campaign c USING (campaign_id) JOIN suite s USING (suite_id)
        WHERE b.provider = ? AND b.model IS NOT DISTINCT FROM ? AND (b.model IS NOT NULL OR b.branch_id = ?)
            AND s.case_count = ? AND c.state IN ('COMPLETED', 'CANCELLED', 'FAILED')
            AND (?::text IS NULL OR c.campaign_id = ?)
            AND NOT EXISTS (SELECT 1 FROM evaluation v WHERE v.evaluation_id = c.campaign_id)
            AND NOT EXISTS (SELECT 1 FROM hypothesis_evaluation h WHERE h.evaluation_id = c.campaign_id)
        ORDER BY c.name = ? DESC, c.created_at DESC, b.branch_index LIMIT %d\
        """.formatted(MOST);

    private final Sql sql;
    private final CampaignRepository campaigns;
    private final ComparisonRepository trials;
    private final CaseQueries branches;
    private final CaseRepository cases;

    RecordedRates(
            Sql sql,
            CampaignRepository campaigns,
            ComparisonRepository trials,
            CaseQueries branches,
            CaseRepository cases) {
        this.sql = sql;
        this.campaigns = campaigns;
        this.trials = trials;
        this.branches = branches;
        this.cases = cases;
    }

    /** A branch of an ended campaign. */
    private record Ended(String campaignId, int branchIndex, String suiteId, String suiteName) {

        static Ended read(ResultSet row) throws SQLException {
            return new Ended(
                    row.getString("campaign_id"),
                    row.getInt("branch_index"),
                    row.getString("suite_id"),
                    row.getString("suite_name"));
        }
    }

    /**
     * The rate of the newest campaign of the same name, else of any name, that ran the same cases on a planned branch.
     *
     * @param from only from this campaign; null: from any
     * @return null: there is none
     */
    @ReadOnly
    @Nullable
    RecordedRate find(CampaignSubmission planned, @Nullable String from) {
        Map<String, String> ids = new HashMap<>();
        CampaignDefinition definition = planned.definition();
        for (Branch branch : definition.branches()) {
            for (Ended ended : ended(branch, planned, from)) {
                if (ended.suiteId().equals(idNamed(planned.suite(), ended.suiteName(), ids))) {
                    RecordedRate rate = rate(ended);
                    if (rate != null) {
                        return rate;
                    }
                }
            }
        }
        return null;
    }

    private List<Ended> ended(Branch branch, CampaignSubmission planned, @Nullable String from) {
        return sql.list(
                ENDED,
                Ended::read,
                branch.agent().provider(),
                branch.agent().storedName(),
                branch.id(),
                planned.suite().cases().size(),
                from,
                from,
                planned.definition().name());
    }

    /** The name of a suite is part of its id: the same cases under another name are the same suite. */
    private static String idNamed(Suite suite, String name, Map<String, String> known) {
        return known.computeIfAbsent(name, other -> CaseRepository.id(new Suite(other, suite.cases())));
    }

    private @Nullable RecordedRate rate(Ended ended) {
        StoredCampaign campaign = campaigns.find(ended.campaignId()).orElse(null);
        return campaign == null
                ? null
                : RecordedRate.of(
                        campaign.id(),
                        trials.cases(campaign, ended.branchIndex(), false, false).stream()
                                .map(ComparedCase::counts)
                                .toList());
    }

    /** Why {@code from} says nothing of the rate. */
    NoRate why(CampaignSubmission planned, StoredCampaign from) {
        if (!from.state().ended()) {
            return NoRate.NOT_ENDED;
        }
        String id =
                CaseRepository.id(new Suite(from.suite().name(), planned.suite().cases()));
        if (!from.suiteId().equals(id)) {
            return NoRate.OTHER_SUITE;
        }
        boolean asked = planned.definition().branches().stream()
                .anyMatch(branch -> !ended(branch, planned, from.id()).isEmpty());
        return asked ? NoRate.NOTHING_KNOWN : NoRate.OTHER_MODELS;
    }

    /** The trials of the baseline of the first gated branch; null: the gate has none, or nothing is known of it. */
    @ReadOnly
    @Nullable
    RecordedBaseline baseline(CampaignSubmission planned) {
        CampaignDefinition definition = planned.definition();
        BaselineRule rule = definition.gate().baseline();
        StoredCampaign earlier =
                rule == null ? null : campaigns.find(rule.campaign()).orElse(null);
        if (rule == null || earlier == null) {
            return null;
        }
        List<String> gated = definition.gate().branches();
        String first = gated.isEmpty() ? definition.branches().getFirst().id() : gated.getFirst();
        String branch = rule.branch() == null
                ? branches.counterpart(earlier.id(), first).orElse(null)
                : rule.branch();
        int index = earlier.definition().branches().stream()
                .map(Branch::id)
                .toList()
                .indexOf(Objects.requireNonNullElse(branch, ""));
        return index < 0 ? null : baseline(planned, earlier, index);
    }

    private @Nullable RecordedBaseline baseline(CampaignSubmission planned, StoredCampaign earlier, int branchIndex) {
        Set<String> shared = shared(planned.suite(), earlier);
        OptionalDouble rate = trials.cases(earlier, branchIndex, false, false).stream()
                .filter(one -> shared.contains(one.caseId()))
                .map(ComparedCase::counts)
                .filter(one -> one.known() > 0)
                .mapToDouble(one -> (double) one.passed() / one.known())
                .average();
        return rate.isEmpty() && !shared.isEmpty()
                ? null
                : new RecordedBaseline(rate.orElse(0), earlier.trials(), shared.size());
    }

    /** The ids of the cases of {@code suite} that the campaign has with the same content. */
    private Set<String> shared(Suite suite, StoredCampaign earlier) {
        if (CaseRepository.id(new Suite(earlier.suite().name(), suite.cases())).equals(earlier.suiteId())) {
            return suite.cases().stream().map(Case::id).collect(Collectors.toSet());
        }
        Map<String, JsonNode> others = new HashMap<>();
        cases.find(
                        earlier.suiteId(),
                        IntStream.range(0, earlier.caseCount()).boxed().toList())
                .values()
                .forEach(one -> others.put(one.id(), content(one)));
        return suite.cases().stream()
                .filter(one -> content(one).equals(others.get(one.id())))
                .map(Case::id)
                .collect(Collectors.toSet());
    }

    /** What a comparison pairs cases by: tags only sort them, and vars are part of what a branch makes of a prompt. */
    private static JsonNode content(Case one) {
        ObjectNode content = (ObjectNode) Json.tree(Json.write(one));
        content.remove(List.of("tags", "vars"));
        return content;
    }
}
