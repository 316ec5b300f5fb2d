package dev.assay.domain.campaignfile;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.AgentLimits;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.campaign.Limits;
import dev.assay.domain.campaignfile.agent.AgentReader;
import dev.assay.domain.document.ActualValue;
import dev.assay.domain.document.DocumentLimits;
import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.IdRule;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.document.Problems;
import dev.assay.domain.gate.GatePolicy;
import dev.assay.domain.hypothesis.BatchPlan;
import dev.assay.domain.hypothesis.ChallengePrompt;
import dev.assay.domain.hypothesis.Hypothesis;
import dev.assay.domain.hypothesis.HypothesisBatch;
import dev.assay.domain.hypothesis.ParallelConfigReader;
import dev.assay.domain.hypothesis.Rubric;
import dev.assay.domain.hypothesis.RubricReader;
import dev.assay.domain.message.Message;
import dev.assay.domain.provider.WorkerCapabilities;
import dev.assay.domain.selection.Strategy;
import dev.assay.domain.suite.Case;
import dev.assay.domain.suite.Suite;
import dev.assay.domain.text.Utf8;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The reader of hypothesis evaluations. It finds every error at once, each with its path. */
public final class HypothesisReader {

    /** The id of the only branch, and the field that describes it. */
    public static final String CHALLENGER = "challenger";

    private static final String WHAT = "hypothesis evaluation";

    /** The fields of a hypothesis evaluation. */
    static final Fields FIELDS =
            Fields.of(WHAT, CHALLENGER, "hypotheses", "rubric", "parallelConfig", "shuffleSeed", "limits");

    private static final Fields AGENT = AgentReader.fields(CHALLENGER);
    private static final Fields HYPOTHESIS =
            Fields.of("hypothesis", "id", "statement", "rationale", "sources", "metadata");
    private static final Fields LIMITS = Fields.of("limits", "budgetUsd", "timeoutSeconds", "maxAttempts");

    private static final NumberRule SEED = NumberRule.whole(Long.MIN_VALUE, Long.MAX_VALUE);
    private static final String FIRST_BRANCH = "branches[0]";

    private HypothesisReader() {}

    /**
     * A hypothesis evaluation that was read and found valid: a campaign in which each batch is a case of its only branch, the
     * challenger.
     *
     * @param shuffleSeed by which each batch was shuffled; null: none was
     * @param rubric by which is scored
     * @param batches in input order
     */
    public record HypothesisSubmission(
            CampaignSubmission campaign,
            BatchPlan plan,
            @Nullable Long shuffleSeed,
            Rubric rubric,
            List<HypothesisBatch> batches) {

        public HypothesisSubmission {
            batches = List.copyOf(batches);
        }
    }

    /**
     * Reads a hypothesis evaluation.
     *
     * @param offer what it can make use of
     * @throws dev.assay.domain.error.AssayException INVALID_INPUT with all errors
     */
    public static HypothesisSubmission read(JsonNode document, WorkerCapabilities offer) {
        Problems problems = new Problems();
        if (!DocumentLimits.isShallow(document, "", problems)) {
            problems.throwIfAny(WHAT);
        }
        FieldReader fields = FieldReader.of(document, "", FIELDS, problems);
        SubmittedCassettes cassettes = new SubmittedCassettes();
        Agent challenger = challenger(fields, new AgentReader(cassettes));
        List<Hypothesis> hypotheses = hypotheses(fields);
        Rubric rubric = RubricReader.read(fields);
        BatchPlan plan = ParallelConfigReader.read(fields, hypotheses.size());
        BigDecimal seed = fields.nullableDecimal("shuffleSeed", SEED);
        CampaignDefinition definition = definition(challenger, limits(fields, plan));
        check(definition, offer, problems);
        DocumentLimits.check(document, "", problems);
        if (challenger.ownCode().isPresent()) {
            problems.add(
                    DocumentPath.field(CHALLENGER, "kind"),
                    "A hypothesis evaluation has no directory of code; name a provider and a model.");
        }
        problems.throwIfAny(WHAT);
        Long shuffleSeed = seed == null ? null : seed.longValueExact();
        List<HypothesisBatch> batches = HypothesisBatch.cut(plan, hypotheses, shuffleSeed);
        CampaignSubmission campaign = new CampaignSubmission(
                definition,
                suite(rubric, batches, hypotheses.size()),
                cassettes.all(),
                DefinitionWriter.write(definition, null));
        return new HypothesisSubmission(campaign, plan, shuffleSeed, rubric, batches);
    }

    private static Agent challenger(FieldReader fields, AgentReader agents) {
        FieldReader challenger = fields.object(CHALLENGER, AGENT);
        if (challenger == null) {
            fields.problem(CHALLENGER, "`challenger` is missing; say which provider and model scores.");
        }
        return agents.read(
                challenger == null ? fields.objectOrEmpty(CHALLENGER, AGENT).silent() : challenger);
    }

    private static List<Hypothesis> hypotheses(FieldReader fields) {
        Map<String, String> pathOfId = new HashMap<>();
        List<Hypothesis> hypotheses =
                fields.nonEmptyList("hypotheses", (node, path, problems) -> hypothesis(node, path, problems, pathOfId));
        if (hypotheses.size() > Hypothesis.MAX_COUNT) {
            fields.problem(
                    "hypotheses",
                    "There are " + hypotheses.size() + " hypotheses; score at most " + Hypothesis.MAX_COUNT
                            + " in one evaluation.");
        }
        return hypotheses;
    }

    private static Hypothesis hypothesis(JsonNode node, String path, Problems problems, Map<String, String> pathOfId) {
        FieldReader fields = FieldReader.of(node, path, HYPOTHESIS, problems);
        String id = fields.id("id");
        String earlier = fields.isWrong("id") || !fields.has("id") ? null : pathOfId.putIfAbsent(id, path);
        if (earlier != null) {
            fields.problem(
                    "id", "This id is already the id of `" + earlier + "`; give every hypothesis an id of its own.");
        }
        String statement = fields.text("statement");
        if (Utf8.length(statement) > Hypothesis.MAX_STATEMENT_BYTES) {
            fields.problem("statement", "`statement` has more than 100 KB; shorten it.");
        }
        JsonNode metadata = fields.hasValue("metadata") ? fields.node("metadata") : null;
        if (metadata != null && !metadata.isObject()) {
            fields.problem("metadata", "`metadata` must be an object, but is " + ActualValue.describe(metadata) + ".");
        }
        return new Hypothesis(id, statement, fields.nullableText("rationale"), sources(fields), metadata);
    }

    private static List<JsonNode> sources(FieldReader hypothesis) {
        return hypothesis.hasValue("sources") ? hypothesis.list("sources", HypothesisReader::source) : List.of();
    }

    private static @Nullable JsonNode source(JsonNode node, String path, Problems problems) {
        if (node.isTextual() || node.isObject()) {
            return node;
        }
        problems.add(path, "`" + path + "` must be text or an object, but is " + ActualValue.describe(node) + ".");
        return null;
    }

    private static Limits limits(FieldReader document, BatchPlan plan) {
        FieldReader fields = document.objectOrEmpty("limits", LIMITS);
        Limits defaults = Limits.DEFAULT;
        return new Limits(
                plan.maxConcurrent(),
                fields.nullableDecimal("budgetUsd", LimitsReader.MONEY),
                fields.seconds("timeoutSeconds", LimitsReader.SECONDS, defaults.timeout()),
                fields.integer("maxAttempts", LimitsReader.ATTEMPTS, defaults.maxAttempts()),
                defaults.maxOutage());
    }

    private static CampaignDefinition definition(Agent challenger, Limits limits) {
        Branch branch = new Branch(CHALLENGER, challenger, ChallengePrompt.SYSTEM_PROMPT, AgentLimits.DEFAULT);
        return new CampaignDefinition("hypotheses", List.of(branch), 1, Strategy.usual(1), GatePolicy.DEFAULT, limits);
    }

    /** Reports needs of the challenger that workers do not meet, where the user wrote the challenger. */
    private static void check(CampaignDefinition definition, WorkerCapabilities offer, Problems problems) {
        Problems found = new Problems();
        CampaignReader.check(definition, Map.of(), List.of(), offer, found);
        found.errors().forEach(error -> problems.add(error.path().replace(FIRST_BRANCH, CHALLENGER), error.message()));
    }

    private static Suite suite(Rubric rubric, List<HypothesisBatch> batches, int hypotheses) {
        List<Case> cases = IntStream.range(0, batches.size())
                .mapToObj(i -> new Case(
                        caseId(i, batches),
                        List.of(Message.user(batches.get(i).prompt(rubric))),
                        List.of(),
                        List.of(),
                        List.of(),
                        Map.of()))
                .toList();
        return new Suite(hypotheses + " in " + batches.size() + " batches", cases);
    }

    /** The batch's text in the Temporal UI, for example {@code batch 2 of 5 · h3, h4}. */
    private static String caseId(int index, List<HypothesisBatch> batches) {
        return IdRule.fit("batch %d of %d · %s"
                .formatted(
                        index + 1,
                        batches.size(),
                        String.join(", ", batches.get(index).ids())));
    }
}
