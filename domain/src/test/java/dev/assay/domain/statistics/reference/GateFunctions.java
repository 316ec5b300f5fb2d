package dev.assay.domain.statistics.reference;

import static dev.assay.domain.statistics.reference.Reference.interval;
import static dev.assay.domain.statistics.reference.Reference.object;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.gate.CaseStatus;
import dev.assay.domain.gate.RerunAgreement;
import dev.assay.domain.gate.SettledBranch;
import dev.assay.domain.gate.SureLook;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.statistics.sequential.BettingSequence;
import dev.assay.domain.statistics.sequential.LookErrors;
import dev.assay.domain.statistics.sequential.MixtureSequence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Early stop, and numbers that may be watched. What is open is null in the reference, INCONCLUSIVE with us. */
public final class GateFunctions {

    public static final Map<String, Reference> ALL = Map.of(
            "settled", GateFunctions::settled,
            "settled_campaign", GateFunctions::settledCampaign,
            "look_error", GateFunctions::lookErrors,
            "sure", GateFunctions::sure,
            "agreement_on_rerun", GateFunctions::agreement,
            "mixture_sequence",
                    input -> interval(MixtureSequence.of(
                            input.get("successes").asLong(),
                            input.get("n").asLong(),
                            input.get("alpha").asDouble())),
            "mixture_e_value",
                    input -> object(
                            "value",
                            MixtureSequence.evidence(
                                    input.get("successes").asLong(),
                                    input.get("n").asLong(),
                                    input.get("threshold").asDouble())),
            "betting_sequence",
                    input -> interval(BettingSequence.of(
                            Reference.doubles(input.get("values")),
                            input.get("alpha").asDouble(),
                            input.get("grid").asInt())));

    private GateFunctions() {}

    private static Object settled(JsonNode input) {
        SettledBranch branch = SettledBranch.of(
                Reference.cases(input.get("cases")),
                input.get("passThreshold").asDouble(),
                input.get("suiteThreshold").asDouble());
        List<@Nullable String> status = new ArrayList<>();
        branch.cases().forEach(one -> status.add(one == CaseStatus.INCONCLUSIVE ? null : one.name()));
        return object("verdict", name(branch.verdict()), "status", status, "open", branch.open());
    }

    private static Object settledCampaign(JsonNode input) {
        List<Verdict> verdicts = new ArrayList<>();
        input.get("verdicts")
                .forEach(verdict ->
                        verdicts.add(verdict.isNull() ? Verdict.INCONCLUSIVE : Verdict.valueOf(verdict.asText())));
        return object("verdict", name(Verdict.ofAll(verdicts)));
    }

    private static Object lookErrors(JsonNode input) {
        List<Integer> extensions = new ArrayList<>();
        input.get("extensions").forEach(rounds -> extensions.add(rounds.asInt()));
        LookErrors errors =
                LookErrors.of(input.get("alpha").asDouble(), input.get("rounds").asInt(), extensions);
        return object("errors", errors.levels(), "bound", errors.bound());
    }

    private static Object sure(JsonNode input) {
        return object(
                "verdict",
                name(SureLook.verdict(
                        input.get("passed").asInt(),
                        input.get("of").asInt(),
                        input.get("threshold").asDouble(),
                        input.get("error").asDouble())));
    }

    private static Object agreement(JsonNode input) {
        Verdict verdict = Verdict.valueOf(input.get("verdict").asText());
        return object("value", RerunAgreement.of(verdict, Reference.nullable(input.get("passes"))));
    }

    private static @Nullable String name(Verdict verdict) {
        return verdict == Verdict.INCONCLUSIVE ? null : verdict.name();
    }
}
