package dev.assay.domain.steering;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.campaignfile.CampaignReader;
import dev.assay.domain.campaignfile.DefinitionReader;
import dev.assay.domain.campaignfile.LimitsReader;
import dev.assay.domain.campaignfile.ProviderRules;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.document.Problems;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.json.Json;
import dev.assay.domain.provider.ProviderInfo;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * New limits of a campaign that exists; null: as it is.
 *
 * @param maxConcurrent model calls in flight, judge calls included, 1–10,000
 * @param budgetUsd what all calls together may cost, in US dollars
 * @param trials repetitions of each case, 1–1,000
 * @param maxOutage how long it waits for a provider that is down before it is paused, 0 to 7 days; 0: its cells fail
 */
public record LimitChange(
        @Nullable Integer maxConcurrent,
        @Nullable BigDecimal budgetUsd,
        @Nullable Integer trials,
        @Nullable Duration maxOutage) {

    private static final String WHAT = "change of limits";

    private static final Fields FIELDS = Fields.of(WHAT, "maxConcurrent", "budgetUsd", "trials", "maxOutage");

    /**
     * The campaign as it is.
     *
     * @param hasSkipped whether trials of a COMPLETED campaign are open, since the budget did not cover them
     * @param trials repetitions of each case, the number in force
     * @param budgetUsd the budget in force; null: none
     * @param committedUsd what requests have cost, and what those in flight may cost
     * @param providers what can be asked, by name; looked at only when the campaign gets its first budget
     */
    public record Current(
            CampaignState state,
            boolean hasSkipped,
            CampaignDefinition definition,
            int cases,
            int trials,
            @Nullable BigDecimal budgetUsd,
            BigDecimal committedUsd,
            Map<String, ProviderInfo> providers) {}

    /**
     * The effects of a change beside the limits that it sets.
     *
     * @param reopensSkipped whether what was skipped for the budget runs when nothing else is open, in a new epoch then
     * @param goesOn whether the campaign had ended and runs again, in a new epoch
     */
    public record Effect(boolean reopensSkipped, boolean goesOn) {}

    /**
     * Reads a user's document.
     *
     * @throws AssayException INVALID_INPUT with all errors
     */
    public static LimitChange read(JsonNode document) {
        Problems problems = new Problems();
        FieldReader fields = FieldReader.of(document, "", FIELDS, problems);
        Integer maxConcurrent = integer(fields, "maxConcurrent", LimitsReader.CONCURRENT);
        BigDecimal budgetUsd = fields.decimal("budgetUsd", LimitsReader.MONEY);
        Integer trials = integer(fields, "trials", DefinitionReader.TRIALS);
        Duration maxOutage = LimitsReader.outage(fields);
        problems.throwIfAny(WHAT);
        return new LimitChange(maxConcurrent, budgetUsd, trials, maxOutage);
    }

    /**
     * Reads a user's document, as names and values.
     *
     * @throws AssayException INVALID_INPUT with all errors
     */
    public static LimitChange read(@Nullable Map<String, Object> document) {
        return read(Json.mapper().<JsonNode>valueToTree(document));
    }

    private static @Nullable Integer integer(FieldReader fields, String name, NumberRule rule) {
        BigDecimal value = fields.decimal(name, rule);
        return value == null ? null : value.intValueExact();
    }

    /**
     * Checks whether a campaign may take this change. Results are never thrown away, so trials only grow. What is spent cannot be
     * unspent, so a budget is never below it. A model without a price fits no budget.
     *
     * @throws AssayException INVALID_INPUT with all errors
     */
    public void check(Current now) {
        Problems problems = new Problems();
        if (trials != null) {
            checkTrials(trials, now, problems);
        }
        if (budgetUsd != null) {
            checkBudget(budgetUsd, now, problems);
        }
        problems.throwIfAny(WHAT);
    }

    private static void checkTrials(int wanted, Current now, Problems problems) {
        int branches = now.definition().branches().size();
        String wrong = wanted < now.trials()
                ? "`trials` cannot be lowered from " + now.trials() + " to " + wanted
                        + ": the results of a trial are kept; submit a new campaign with fewer trials."
                : CampaignReader.sizeProblem(now.cases(), wanted, branches);
        if (wrong != null) {
            problems.add("trials", wrong);
        }
    }

    private static void checkBudget(BigDecimal wanted, Current now, Problems problems) {
        // One request can cost more than its worst case, so even the budget in force may be below what is spent.
        boolean lowered = now.budgetUsd() == null || wanted.compareTo(now.budgetUsd()) < 0;
        if (lowered && wanted.compareTo(now.committedUsd()) < 0) {
            problems.add(
                    "budgetUsd",
                    "`budgetUsd` cannot be " + wanted.toPlainString() + ": "
                            + now.committedUsd().toPlainString()
                            + " US dollars are spent, or reserved for calls under way; name at least as much.");
        }
        if (now.budgetUsd() == null) {
            ProviderRules.withoutPrice(now.definition(), now.providers(), "`budgetUsd`")
                    .forEach(wrong -> problems.add("budgetUsd", wrong));
        }
    }

    /** The effect of the change on a campaign that may take it: new trials and a raised budget open cells. */
    public Effect effect(Current now) {
        boolean addsTrials = trials != null && trials > now.trials();
        boolean raisesBudget = budgetUsd != null && now.budgetUsd() != null && budgetUsd.compareTo(now.budgetUsd()) > 0;
        return new Effect(
                raisesBudget && now.state().goesOn(),
                (addsTrials && now.state().ended()) || (raisesBudget && now.hasSkipped()));
    }
}
