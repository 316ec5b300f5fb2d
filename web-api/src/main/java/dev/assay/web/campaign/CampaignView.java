package dev.assay.web.campaign;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.assay.campaigns.account.CampaignAccounts;
import dev.assay.domain.account.CampaignAccount;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.campaign.CampaignWarning;
import dev.assay.domain.check.code.Interpreter;
import dev.assay.domain.gate.GatePolicy;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.health.CampaignHealth;
import dev.assay.domain.results.ImportOrigin;
import dev.assay.domain.usage.Usage;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.result.CampaignCounters;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A campaign.
 *
 * @param id names it in addresses and commands
 * @param name for people
 * @param description what it is for, as its author says; null: nothing was said
 * @param metadata what its author noted, by name
 * @param suite name of its suite
 * @param cases cases of the suite
 * @param trials repetitions of each case, the number in force
 * @param state where it stands
 * @param verdict what the gate said; null until it is COMPLETED
 * @param failureReason why it could not go on; null unless FAILED, or PAUSED since PostgreSQL refuses its rows
 * @param maxConcurrent model calls in flight, the limit in force
 * @param budgetUsd what all calls together may cost, in US dollars; null: no budget
 * @param maxOutage how long it waits for a provider that is down before it is paused, as a duration of ISO 8601
 * @param gate what the campaign must reach
 * @param stop when it stops asking: none, settled or sure
 * @param strategy what selects among the answers of a trial, as its type is written
 * @param order in which order each round asks the cases: given, as the file lists them, or drawn
 * @param progress how far it is
 * @param usage tokens of all outcomes and judge calls, as far as they are known
 * @param unknownUsage answers whose input, output or total was not reported, and so is not in {@code usage} in full
 * @param costUsd sum of the known costs in US dollars; null where no price is known
 * @param passRate cells that passed, of those of which something is known
 * @param warnings what its author should know
 * @param health whether it goes on, and what holds it up; in lists Temporal is not asked
 * @param account what happened and what to do, as every surface says it; null in lists
 * @param scoring the campaign whose stored answers it scores; null: it asks its branches itself
 * @param imported where its results come from; null: it asks its branches itself, or scores another campaign
 * @param interpreters that ran its own code, each once, by language; null in lists
 * @param createdAt when it was submitted
 * @param createdBy a token's name; local: a user of the server's machine; command: a command that brought its own server; null:
 *     not known
 * @param startedAt when its first cell could run; null before
 * @param finishedAt when it last ended; null while it goes on
 */
@Schema(name = "Campaign")
public record CampaignView(
        @Schema(example = "capitals-7f3k9m2x") String id,
        @Schema(example = "capitals") String name,
        @Nullable String description,
        Map<String, String> metadata,
        String suite,
        int cases,
        int trials,
        CampaignState state,
        @Nullable Verdict verdict,
        @Nullable String failureReason,
        int maxConcurrent,
        @Nullable BigDecimal budgetUsd,
        @Schema(example = "PT1H") String maxOutage,
        GatePolicy gate,
        String stop,
        @Schema(example = "pick-first") String strategy,
        String order,
        Counts progress,
        Usage usage,
        long unknownUsage,
        @Nullable BigDecimal costUsd,
        ProgressView.RunningRate passRate,
        List<CampaignWarning> warnings,
        CampaignHealth health,
        @Nullable CampaignAccount account,
        @Nullable ScoredCampaign scoring,

        @JsonProperty("import") @Schema(name = "import") @Nullable
        ImportOrigin imported,

        @Nullable List<Interpreter> interpreters,
        Instant createdAt,
        @Nullable String createdBy,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt) {

    public CampaignView {
        warnings = List.copyOf(warnings);
        interpreters = interpreters == null ? null : List.copyOf(interpreters);
    }

    /**
     * The campaign whose stored answers another one scores.
     *
     * @param of its id; it may be deleted
     * @param name its name
     */
    @Schema(name = "ScoredCampaign")
    public record ScoredCampaign(String of, String name) {

        static @Nullable ScoredCampaign of(StoredCampaign campaign) {
            return campaign.purpose() instanceof StoredCampaign.Scoring(String of, String name, var _)
                    ? new ScoredCampaign(of, name)
                    : null;
        }
    }

    /**
     * The progress of a campaign. A cell is one branch's answer in one trial.
     *
     * @param cellsTotal cells of the campaign
     * @param cellsDone cells with a final outcome, and those that are not needed
     * @param cellsNotNeeded of these, the ones that were not asked, since the campaign stopped early
     * @param cellsPassed of the cells that are done, the ones that passed
     * @param cellsFailed of the cells that are done, the ones that ended in MODEL_ERROR or TIMED_OUT
     * @param trialsTotal trials of the campaign
     * @param trialsDone trials with a recorded selection whose cells are all final, or not needed
     * @param trialsFailed of these, the ones with a cell that ended in MODEL_ERROR or TIMED_OUT
     * @param out of the cells that are not done, the ones that are out in batches of providers; null in lists
     * @param eta when all its cells will be done, by its speed of the last 5 min and by limits. Cells that are out go by what their
     *     batches have finished, else by earlier batches. Null: that is not known, or this is a list
     */
    @Schema(name = "CampaignCounts")
    public record Counts(
            long cellsTotal,
            long cellsDone,
            long cellsNotNeeded,
            long cellsPassed,
            long cellsFailed,
            long trialsTotal,
            long trialsDone,
            long trialsFailed,
            @Nullable Long out,
            @Nullable Instant eta) {

        /** @param account null in lists */
        static Counts of(CampaignCounters counters, @Nullable CampaignAccount account) {
            return new Counts(
                    counters.cellsTotal(),
                    counters.cellsDone(),
                    counters.cellsNotNeeded(),
                    counters.cellsPassed(),
                    counters.cellsFailed(),
                    counters.trialsTotal(),
                    counters.trialsDone(),
                    counters.trialsFailed(),
                    account == null ? null : account.cells().out(),
                    account == null ? null : account.eta());
        }
    }

    /** A campaign by itself. */
    static CampaignView of(StoredCampaign campaign, CampaignAccounts.Reading reading, List<Interpreter> interpreters) {
        return of(campaign, reading.counters(), reading.account().health(), reading.account(), interpreters);
    }

    /** One of a list. */
    static CampaignView of(StoredCampaign campaign, CampaignCounters counters, CampaignHealth health) {
        return of(campaign, counters, health, null, null);
    }

    private static CampaignView of(
            StoredCampaign campaign,
            CampaignCounters counters,
            CampaignHealth health,
            @Nullable CampaignAccount account,
            @Nullable List<Interpreter> interpreters) {
        return new CampaignView(
                campaign.id(),
                campaign.name(),
                campaign.description(),
                campaign.metadata().values(),
                campaign.suite().name(),
                campaign.caseCount(),
                campaign.trials(),
                campaign.state(),
                campaign.verdict(),
                campaign.failureReason(),
                campaign.maxConcurrent(),
                campaign.budgetUsd(),
                campaign.maxOutage().toString(),
                campaign.definition().gate(),
                campaign.stopping().rule().word(),
                campaign.definition().strategy().type(),
                campaign.orderRule().word(),
                Counts.of(counters, account),
                counters.tokens().usage(),
                counters.tokens().unknownUsage(),
                counters.costUsd(),
                ProgressView.RunningRate.of(campaign, counters.branches()),
                campaign.warnings().stream().map(CampaignWarning.Code::warning).toList(),
                health,
                account,
                ScoredCampaign.of(campaign),
                campaign.purpose() instanceof StoredCampaign.Imported(ImportOrigin origin) ? origin : null,
                interpreters,
                campaign.createdAt(),
                campaign.createdBy(),
                campaign.times().started(),
                campaign.times().finished());
    }
}
