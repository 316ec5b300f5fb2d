package dev.assay.domain.campaignfile;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.campaign.CancelPolicy;
import dev.assay.domain.campaign.Limits;
import dev.assay.domain.check.Check;
import dev.assay.domain.check.CheckReader;
import dev.assay.domain.document.DocumentLimits;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.Problems;
import dev.assay.domain.document.TextRules;
import dev.assay.domain.gate.GatePolicy;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.MessageReader;
import dev.assay.domain.message.Role;
import dev.assay.domain.provider.WorkerCapabilities;
import dev.assay.domain.selection.Strategy;
import dev.assay.domain.suite.Case;
import dev.assay.domain.suite.CaseReader;
import dev.assay.domain.suite.Suite;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads evaluations, and continuations of evaluations: finds every error at once, each with its path. */
public final class EvaluationReader {

    /** The id of the only case, and the name where the user gave none. */
    public static final String CASE_ID = "evaluation";

    /** What may be written. */
    static final Fields FIELDS = Fields.of(
            "evaluation",
            "name",
            "prompts",
            "context",
            "systemPrompt",
            "branches",
            "strategy",
            "checks",
            "limits",
            "onCancel");

    private static final Fields CONTINUATION = Fields.of(
            "continuation", "prompts", "systemPrompt", "branches", "strategy", "checks", "limits", "onCancel");

    private static final Map<String, CancelPolicy> CANCEL_RULES = Arrays.stream(CancelPolicy.values())
            .collect(Collectors.toMap(
                    rule -> rule.name().toLowerCase(Locale.ROOT), rule -> rule, (a, b) -> a, LinkedHashMap::new));

    private EvaluationReader() {}

    /**
     * The evaluation that is continued.
     *
     * @param definition what it did
     * @param selectedIndex the branch that won
     * @param selectedContext the conversation after it
     * @param onCancel its rule
     */
    public record Earlier(
            CampaignDefinition definition, int selectedIndex, List<Message> selectedContext, CancelPolicy onCancel) {

        public Earlier {
            selectedContext = List.copyOf(selectedContext);
        }
    }

    /**
     * Reads an evaluation.
     *
     * @param offer what the evaluation can make use of
     * @throws dev.assay.domain.error.AssayException INVALID_INPUT with all errors
     */
    public static EvaluationSubmission read(JsonNode document, WorkerCapabilities offer) {
        return read(document, FIELDS, null, offer);
    }

    /**
     * Reads what an evaluation is continued with. What is left out is as before: without {@code branches} the branch that won
     * goes on alone.
     *
     * @throws dev.assay.domain.error.AssayException INVALID_INPUT with all errors
     */
    public static EvaluationSubmission continuation(JsonNode document, Earlier earlier, WorkerCapabilities offer) {
        return read(document, CONTINUATION, earlier, offer);
    }

    private static EvaluationSubmission read(
            JsonNode document, Fields known, @Nullable Earlier earlier, WorkerCapabilities offer) {
        Problems problems = new Problems();
        if (!DocumentLimits.isShallow(document, "", problems)) {
            problems.throwIfAny(known.kind());
        }
        FieldReader fields = FieldReader.of(document, "", known, problems);
        SubmittedCassettes cassettes = new SubmittedCassettes();
        CampaignDefinition definition = definition(fields, new AgentReader(cassettes), earlier);
        Case evaluated = evaluated(fields, earlier);
        CancelPolicy onCancel =
                fields.word("onCancel", CANCEL_RULES, earlier == null ? CancelPolicy.SELECT : earlier.onCancel());
        CampaignReader.check(definition, offer, problems);
        DocumentLimits.check(document, "", problems);
        problems.throwIfAny(known.kind());
        CampaignSubmission campaign = new CampaignSubmission(
                definition,
                new Suite(CASE_ID, List.of(evaluated)),
                cassettes.all(),
                DefinitionWriter.write(definition, null));
        return new EvaluationSubmission(campaign, onCancel);
    }

    private static CampaignDefinition definition(FieldReader fields, AgentReader agents, @Nullable Earlier earlier) {
        String name = earlier != null
                ? earlier.definition().name()
                : fields.hasValue("name") ? fields.line("name", DefinitionReader.MAX_NAME) : CASE_ID;
        List<Branch> branches = branches(fields, agents, earlier);
        Strategy strategy = earlier == null || fields.has("strategy")
                ? new StrategyReader(agents).read(fields, branches.size())
                : inherited(earlier.definition().strategy(), branches.size());
        Limits limits = earlier == null || fields.has("limits")
                ? LimitsReader.read(fields, branches)
                : earlier.definition().limits();
        return new CampaignDefinition(
                name, branches, 1, strategy, GatePolicy.DEFAULT, allAtOnce(limits, branches.size()));
    }

    private static List<Branch> branches(FieldReader fields, AgentReader agents, @Nullable Earlier earlier) {
        String systemPrompt = fields.nullableText("systemPrompt");
        List<Branch> branches = earlier == null || fields.has("branches")
                ? DefinitionReader.branches(fields, BranchReader.withOptionalIds(agents))
                : List.of(earlier.definition().branches().get(earlier.selectedIndex()));
        return branches.stream()
                .map(branch -> systemPrompt == null || branch.systemPrompt() != null
                        ? branch
                        : branch.withSystemPrompt(systemPrompt))
                .toList();
    }

    /** Branches run at the same time (semantics A1), unless the user wants fewer calls in flight than is usual. */
    private static Limits allAtOnce(Limits limits, int branches) {
        return limits.maxConcurrent() == Limits.DEFAULT.maxConcurrent() && branches > limits.maxConcurrent()
                ? new Limits(branches, limits.budgetUsd(), limits.timeout(), limits.maxAttempts())
                : limits;
    }

    /** The strategy of before where it can choose among so many branches. */
    private static Strategy inherited(Strategy earlier, int branches) {
        return branches > 1 && earlier instanceof Strategy.Transparent ? new Strategy.PickFirst() : earlier;
    }

    private static Case evaluated(FieldReader fields, @Nullable Earlier earlier) {
        List<String> prompts = fields.list("prompts", TextRules::fullTextItem);
        List<Message> context =
                earlier == null ? fields.list("context", MessageReader::read) : earlier.selectedContext();
        if (!fields.isWrong("prompts") && isEmpty(fields, "prompts")) {
            checkContinueMode(fields, context, earlier != null);
        }
        List<Check> checks = fields.list("checks", CheckReader::read);
        return new Case(CASE_ID, prompts, context, checks, List.of(), Map.of());
    }

    private static boolean isEmpty(FieldReader fields, String list) {
        JsonNode written = fields.node(list);
        return written == null || (written.isArray() && written.isEmpty());
    }

    /** Semantics A1: without prompts the conversation must not be empty, nor end on an assistant message. */
    private static void checkContinueMode(FieldReader fields, List<Message> context, boolean isContinuation) {
        if (!isContinuation) {
            CaseReader.checkContinueMode(fields, "prompts", "`prompts`", context);
        } else if (context.getLast().role() == Role.ASSISTANT) {
            fields.problem("prompts", "The conversation ends on an assistant message; add `prompts`.");
        }
    }
}
