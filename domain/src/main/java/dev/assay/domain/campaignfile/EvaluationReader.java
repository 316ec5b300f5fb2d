package dev.assay.domain.campaignfile;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.campaign.BaseContext;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.campaign.CampaignWarning;
import dev.assay.domain.campaign.CancelPolicy;
import dev.assay.domain.campaign.Limits;
import dev.assay.domain.campaignfile.agent.AgentReader;
import dev.assay.domain.campaignfile.delivery.DeliveryReader;
import dev.assay.domain.campaignfile.strategy.StrategyReader;
import dev.assay.domain.check.Check;
import dev.assay.domain.check.CheckReader;
import dev.assay.domain.document.DocumentLimits;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.Problems;
import dev.assay.domain.gate.GatePolicy;
import dev.assay.domain.grading.Grading;
import dev.assay.domain.judge.JudgeFormat;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.MessageReader;
import dev.assay.domain.message.Role;
import dev.assay.domain.provider.WorkerCapabilities;
import dev.assay.domain.selection.Strategy;
import dev.assay.domain.suite.Case;
import dev.assay.domain.suite.CaseReader;
import dev.assay.domain.suite.Suite;
import dev.assay.domain.tool.Tool;
import dev.assay.domain.tool.ToolWriter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The reader of evaluations and their continuations. It finds every error at once, each with its path. */
public final class EvaluationReader {

    /** The id of the only case, and the name where the user gave none. */
    public static final String CASE_ID = "evaluation";

    /** The fields of an evaluation. */
    static final Fields FIELDS = Fields.of(
            "evaluation",
            "name",
            "prompts",
            "context",
            "systemPrompt",
            "tools",
            "branches",
            "strategy",
            "checks",
            "templateVars",
            "limits",
            "onCancel");

    private static final Fields CONTINUATION = Fields.of(
            "continuation",
            "prompts",
            "systemPrompt",
            "tools",
            "branches",
            "strategy",
            "checks",
            "templateVars",
            "limits",
            "onCancel");

    private static final Fields CONTEXT = Fields.of("context", "systemPrompt", "messages", "tools");

    private static final Map<String, CancelPolicy> CANCEL_RULES = Arrays.stream(CancelPolicy.values())
            .collect(Collectors.toMap(
                    rule -> rule.name().toLowerCase(Locale.ROOT), rule -> rule, (a, b) -> a, LinkedHashMap::new));

    private EvaluationReader() {}

    /**
     * The evaluation that is continued.
     *
     * @param keepsConcurrency whether {@code maxConcurrent} was written
     */
    public record Earlier(
            CampaignDefinition definition,
            int selectedIndex,
            List<Message> selectedContext,
            List<Check> checks,
            CancelPolicy onCancel,
            boolean keepsConcurrency) {

        public Earlier {
            selectedContext = List.copyOf(selectedContext);
            checks = List.copyOf(checks);
        }

        private Branch winner() {
            return definition.branches().get(selectedIndex);
        }

        private BaseContext context() {
            return BaseContext.of(winner(), selectedContext);
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
     * Reads a continuation. Fields that are left out are inherited. Without {@code branches} the branch that won goes on alone;
     * given branches start from its context.
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
        BaseContext context = context(fields, earlier);
        boolean keepsConcurrency = keepsConcurrency(fields, earlier);
        CampaignDefinition definition =
                definition(fields, new AgentReader(cassettes), context, earlier, keepsConcurrency);
        Case evaluated = evaluated(fields, context.messages(), earlier);
        checkScores(fields, definition, evaluated.checks().all());
        CancelPolicy onCancel =
                fields.word("onCancel", CANCEL_RULES, earlier == null ? CancelPolicy.SELECT : earlier.onCancel());
        Suite suite = new Suite(CASE_ID, List.of(evaluated));
        CampaignReader.check(definition, Map.of(), context.tools(), offer, problems);
        DocumentLimits.check(document, "", problems);
        CodeRules.refuseFiles(document, definition, suite, "An evaluation", problems);
        problems.throwIfAny(known.kind());
        if (offer.tools() != null) {
            CodeRules.requireCode(document, definition, suite, offer.tools());
        }
        CampaignSubmission campaign =
                new CampaignSubmission(definition, suite, cassettes.all(), DefinitionWriter.write(definition, null));
        return new EvaluationSubmission(
                campaign.warning(warnings(definition, document.path("strategy"))), onCancel, keepsConcurrency);
    }

    /** What is inherited was said of the evaluation that wrote it. */
    private static List<CampaignWarning.Code> warnings(CampaignDefinition definition, JsonNode strategy) {
        return strategy.isObject() ? CampaignWarning.of(definition, strategy.has("fence")) : List.of();
    }

    /** The context from which the branches start. Fields beside {@code context}, or in a continuation, replace those in it. */
    private static BaseContext context(FieldReader fields, @Nullable Earlier earlier) {
        BaseContext base = earlier == null ? written(fields) : earlier.context();
        String systemPrompt = fields.nullableText("systemPrompt");
        List<Tool> tools = DefinitionReader.sharedTools(fields);
        // Of a continuation null is an answer: none, in place of the inherited one.
        boolean isReplaced = earlier == null ? systemPrompt != null : fields.has("systemPrompt");
        return new BaseContext(
                isReplaced ? systemPrompt : base.systemPrompt(),
                base.messages(),
                fields.has("tools") ? tools : base.tools());
    }

    /** {@code context} as messages, or as a whole: the form of a selected context. */
    private static BaseContext written(FieldReader fields) {
        JsonNode node = fields.node("context");
        if (node == null || !node.isObject()) {
            return new BaseContext(null, fields.list("context", MessageReader::read), List.of());
        }
        FieldReader context = fields.objectOrEmpty("context", CONTEXT);
        return new BaseContext(
                context.nullableText("systemPrompt"),
                context.list("messages", MessageReader::read),
                DefinitionReader.sharedTools(context));
    }

    private static CampaignDefinition definition(
            FieldReader fields,
            AgentReader agents,
            BaseContext context,
            @Nullable Earlier earlier,
            boolean keepsConcurrency) {
        String name = earlier != null
                ? earlier.definition().name()
                : fields.hasValue("name") ? fields.line("name", DefinitionReader.MAX_NAME) : CASE_ID;
        List<Branch> branches = branches(fields, agents, context, earlier);
        Strategy strategy = earlier == null || fields.has("strategy")
                ? new StrategyReader(agents, JudgeFormat.Reading.ONE_NUMBER, DeliveryReader.none())
                        .read(fields, branches.size())
                : inherited(earlier.definition().strategy(), branches.size());
        Limits limits = earlier == null || fields.has("limits")
                ? LimitsReader.read(fields, branches)
                : inherited(earlier.definition(), branches);
        return new CampaignDefinition(
                name,
                branches,
                1,
                strategy,
                GatePolicy.DEFAULT,
                keepsConcurrency ? limits : allAtOnce(limits, branches.size()));
    }

    private static List<Branch> branches(
            FieldReader fields, AgentReader agents, BaseContext context, @Nullable Earlier earlier) {
        if (earlier != null && !fields.has("branches")) {
            return List.of(earlier.winner().with(context.systemPrompt(), context.tools()));
        }
        boolean templateVars = fields.flag(
                DefinitionReader.TEMPLATE_VARS,
                earlier != null && earlier.winner().wording().templateVars());
        List<Branch> branches = DefinitionReader.branches(
                fields, new BranchReader(agents, true, context.tools(), templateVars, DeliveryReader.none()));
        if (branches.stream().anyMatch(branch -> branch.wording().transform() != null)) {
            fields.problem("branches", "Branches of an evaluation have no `transform`; only those of campaigns have.");
        }
        if (branches.stream().anyMatch(branch -> branch.wording().promptCode() != null)) {
            fields.problem("branches", "Branches of an evaluation have no `template` that is code.");
        }
        String systemPrompt = context.systemPrompt();
        DefinitionReader.checkRepeated(fields, "tools", ToolWriter.length(context.tools()), branches.size());
        DefinitionReader.checkRepeated(
                fields, "systemPrompt", systemPrompt == null ? 0 : systemPrompt.length(), branches.size());
        return branches.stream()
                .map(branch -> branch.systemPrompt() == null
                        ? branch.with(systemPrompt, branch.tools().tools())
                        : branch)
                .toList();
    }

    /** Whether the user wrote {@code maxConcurrent}, now or in what is continued. */
    private static boolean keepsConcurrency(FieldReader fields, @Nullable Earlier earlier) {
        JsonNode limits = fields.node("limits");
        return limits == null ? earlier != null && earlier.keepsConcurrency() : limits.has("maxConcurrent");
    }

    /** Branches run at the same time (docs/evaluations.md), unless the user wants fewer calls in flight. */
    private static Limits allAtOnce(Limits limits, int branches) {
        int atOnce = Math.max(Limits.DEFAULT.maxConcurrent(), branches);
        return new Limits(atOnce, limits.budgetUsd(), limits.timeout(), limits.maxAttempts(), limits.maxOutage());
    }

    /** The inherited limits; a cell's timeout that the file leaves out follows from these branches. */
    private static Limits inherited(CampaignDefinition earlier, List<Branch> branches) {
        Limits limits = earlier.limits();
        return limits.timeout().equals(Limits.timeoutOf(earlier.branches()))
                ? new Limits(
                        limits.maxConcurrent(),
                        limits.budgetUsd(),
                        Limits.timeoutOf(branches),
                        limits.maxAttempts(),
                        limits.maxOutage())
                : limits;
    }

    /** The inherited strategy, where it can choose among so many branches. */
    private static Strategy inherited(Strategy earlier, int branches) {
        return branches > earlier.mostBranches() ? Strategy.usual(branches) : earlier;
    }

    private static Case evaluated(FieldReader fields, List<Message> context, @Nullable Earlier earlier) {
        List<Message> prompts = CaseReader.prompts(fields);
        if (!fields.isWrong("prompts") && isEmpty(fields, "prompts")) {
            checkContinueMode(fields, context, earlier != null);
        }
        List<Check> checks =
                earlier == null || fields.has("checks") ? fields.list("checks", CheckReader::read) : earlier.checks();
        if (!Grading.rules(checks).isEmpty()) {
            fields.problem(
                    "checks", "`checks` of an evaluation are not graded by models; only those of campaigns are.");
        }
        if (checks.stream().anyMatch(check -> check.transform() != null)) {
            fields.problem("checks", "`checks` of an evaluation have no `transform`; only those of campaigns have.");
        }
        return new Case(CASE_ID, prompts, context, checks, List.of(), Map.of());
    }

    /** Without a check that counts, the first branch would be taken as if it had the highest score. */
    private static void checkScores(FieldReader fields, CampaignDefinition definition, List<Check> checks) {
        JsonNode written = fields.node("checks");
        boolean isComplete = written == null || written.size() == checks.size();
        if (definition.strategy().needsChecks()
                && definition.branches().size() > 1
                && isComplete
                && checks.stream().noneMatch(check -> check.role().counts())) {
            fields.problem(
                    "checks",
                    "Strategy highest-score compares checks, but there is none with a weight above 0; write `checks`,"
                            + " or choose another strategy.");
        }
    }

    private static boolean isEmpty(FieldReader fields, String list) {
        JsonNode written = fields.node(list);
        return written == null || (written.isArray() && written.isEmpty());
    }

    /** Without prompts the conversation must not be empty, nor end on an assistant message. */
    private static void checkContinueMode(FieldReader fields, List<Message> context, boolean isContinuation) {
        if (!isContinuation) {
            CaseReader.checkContinueMode(fields, "prompts", "`prompts`", context);
        } else if (context.isEmpty() || context.getLast().role() == Role.ASSISTANT) {
            fields.problem("prompts", "The conversation ends on an assistant message; add `prompts`.");
        }
    }
}
