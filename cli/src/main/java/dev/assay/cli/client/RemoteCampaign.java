package dev.assay.cli.client;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.assay.domain.account.CampaignAccount;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.check.code.Interpreter;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.health.CampaignHealth;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A campaign as the API shows it.
 *
 * @param verdict what the gate said; null before the end
 * @param metadata what its author notes; null when the API does not say
 * @param usage tokens so far; null when the API does not say
 * @param costUsd known cost so far in US dollars; null when none is known
 * @param passRate share of what is known that passed; null when the API does not say
 * @param warnings what its author should know; null when the API does not say
 * @param health whether it goes on, and what holds it up; null when the API does not say
 * @param account what happened and what to do; null in lists, and when the API does not say
 * @param scoring the campaign whose answers it scores; null: it asks its branches itself, or the API does not say
 * @param interpreters that ran its own code; null in lists, and when the API does not say
 * @param failureReason why it could not go on; null unless FAILED, PAUSED since PostgreSQL refuses its rows, or
 *     CANCELLED in Temporal
 * @param createdBy who submitted it; null: not known, or the API does not say
 * @param startedAt when its first cell could run; null before
 * @param finishedAt when it ended; null while it goes on
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record RemoteCampaign(
        String id,
        String name,
        @Nullable Map<String, String> metadata,
        CampaignState state,
        @Nullable Verdict verdict,
        Progress progress,
        @Nullable Usage usage,
        @Nullable BigDecimal costUsd,
        @Nullable Rate passRate,
        @Nullable List<Warning> warnings,
        @Nullable CampaignHealth health,
        @Nullable CampaignAccount account,
        @Nullable ScoredCampaign scoring,
        @Nullable List<Interpreter> interpreters,
        @Nullable String failureReason,
        Instant createdAt,
        @Nullable String createdBy,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt) {

    /** The campaign whose stored answers another one scores. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record ScoredCampaign(String of, String name) {}

    /**
     * A warning to the author of a campaign.
     *
     * @param code of a kind that this build may not know
     */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Warning(String code, String message) {}

    /** What its author notes, as a line for people; empty: nothing. */
    public List<String> metadataLines() {
        return metadata == null || metadata.isEmpty()
                ? List.of()
                : List.of("Metadata: "
                        + metadata.entrySet().stream()
                                .map(one -> one.getKey() + "=" + one.getValue())
                                .collect(Collectors.joining(", ")));
    }

    /** What ran its own code, as a line for people; empty: nothing did. */
    public List<String> interpreterLines() {
        return interpreters == null || interpreters.isEmpty()
                ? List.of()
                : List.of("Own code: "
                        + interpreters.stream()
                                .map(one -> "%s %s (%s)".formatted(one.language(), one.version(), one.path()))
                                .collect(Collectors.joining(", ")));
    }

    /** The warnings as lines for people. */
    public List<String> warningLines() {
        return warnings == null
                ? List.of()
                : warnings.stream()
                        .map(one -> "Warning: " + one.code() + ": " + one.message())
                        .toList();
    }

    /**
     * A rate.
     *
     * @param value 0–1; null when nothing is known
     */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Rate(@Nullable Double value) {}

    /** The act of an operator who ended its workflow in Temporal, and what to do, for people; null: nobody did. */
    public @Nullable String endInTemporal() {
        return health == null
                ? null
                : health.reasons().stream()
                        .filter(reason -> reason.code() == CampaignHealth.Code.ENDED_IN_TEMPORAL)
                        .map(CampaignHealth.Reason::message)
                        .findFirst()
                        .orElse(null);
    }

    /** Share of what is known that passed, 0–1, else of the cells that are done; null when there are none. */
    public @Nullable Double shownPassRate() {
        return passRate == null ? progress.passRate() : passRate.value();
    }

    /**
     * Counters.
     *
     * @param cellsDone with a final outcome, and those that are not needed
     * @param cellsNotNeeded of these, the ones that were not asked; 0 when the API does not say
     * @param cellsPassed of those that were asked, the ones that passed
     */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record Progress(
            long cellsTotal, long cellsDone, long cellsNotNeeded, long cellsPassed, long trialsTotal, long trialsDone) {

        /** Of a campaign that asks every cell. */
        public Progress(long cellsTotal, long cellsDone, long cellsPassed, long trialsTotal, long trialsDone) {
            this(cellsTotal, cellsDone, 0, cellsPassed, trialsTotal, trialsDone);
        }

        private @Nullable Double passRate() {
            long asked = cellsDone - cellsNotNeeded;
            return asked == 0 ? null : (Double) ((double) cellsPassed / asked);
        }
    }
}
