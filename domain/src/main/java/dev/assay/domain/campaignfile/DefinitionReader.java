package dev.assay.domain.campaignfile;

import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.kind.CassetteField;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.campaign.CheckGrader;
import dev.assay.domain.campaign.Reporting;
import dev.assay.domain.campaignfile.agent.AgentReader;
import dev.assay.domain.campaignfile.agent.StoredCassettes;
import dev.assay.domain.campaignfile.delivery.DeliveryReader;
import dev.assay.domain.campaignfile.grader.GraderFields;
import dev.assay.domain.campaignfile.strategy.StrategyReader;
import dev.assay.domain.check.graded.GradedRule;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.document.Problems;
import dev.assay.domain.gate.GatePolicy;
import dev.assay.domain.judge.Judge;
import dev.assay.domain.judge.JudgeFormat;
import dev.assay.domain.judge.JudgePolicy;
import dev.assay.domain.reducer.ReducerReader;
import dev.assay.domain.selection.Strategy;
import dev.assay.domain.suite.GroupBy;
import dev.assay.domain.tool.Tool;
import dev.assay.domain.tool.ToolReader;
import dev.assay.domain.tool.ToolWriter;
import java.util.List;
import java.util.Map;

/** The reader of a campaign's definition, apart from its cases: the common part of submitted and stored documents. */
public final class DefinitionReader {

    /** Longest name, in Unicode code points. */
    static final int MAX_NAME = 200;

    /** The field that makes texts of vars templates. */
    public static final String TEMPLATE_VARS = "templateVars";

    /** A workflow's input names every branch and must stay small. */
    static final int MAX_BRANCHES = 100;

    /** Longest total of the texts that branches share, in characters: as much as a whole document may have. */
    private static final long MAX_REPEATED = 64L << 20;

    public static final NumberRule TRIALS = NumberRule.whole(1, 1000).withCode("EVAL_INVALID_TRIALS_CONFIG");

    private final AgentReader agents;
    private final boolean idsAreOptional;
    private Map<CheckGrader, String> graders = Map.of();

    /** For documents that users submit: every branch has an id. */
    DefinitionReader(CassetteField cassettes) {
        this.agents = new AgentReader(cassettes);
        this.idsAreOptional = false;
    }

    /** For stored documents. */
    DefinitionReader(StoredCassettes cassettes) {
        this.agents = new AgentReader(cassettes);
        this.idsAreOptional = true;
    }

    /** @param shared the tools that all branches share */
    CampaignDefinition read(FieldReader document, List<Tool> shared) {
        String name = document.line("name", MAX_NAME);
        // A document that was stored before there was the field keeps its meaning.
        boolean templateVars = document.flag(TEMPLATE_VARS, idsAreOptional);
        DeliveryReader deliveries = DeliveryReader.of(document);
        List<Branch> branches =
                branches(document, new BranchReader(agents, idsAreOptional, shared, templateVars, deliveries));
        checkRepeated(document, "tools", ToolWriter.length(shared), branches.size());
        int trials = document.integer("trials", TRIALS, 1);
        Strategy strategy = new StrategyReader(agents, usualReading(), deliveries).read(document, branches.size());
        GatePolicy gate = GateReader.read(document, branches).with(LostReader.read(document));
        Reporting reporting = new Reporting(ReducerReader.read(document, trials), GroupBy.read(document));
        return new CampaignDefinition(
                name,
                branches,
                trials,
                strategy,
                gate,
                LimitsReader.read(document, branches),
                reporting,
                graders(document, strategy, deliveries),
                CodeFilesReader.read(document),
                ReuseReader.read(document));
    }

    /** Documents that were stored before there was a choice keep the first number. */
    private JudgeFormat.Reading usualReading() {
        return idsAreOptional ? JudgeFormat.Reading.FIRST_NUMBER : JudgeFormat.Reading.ONE_NUMBER;
    }

    private List<CheckGrader> graders(FieldReader document, Strategy strategy, DeliveryReader deliveries) {
        if (idsAreOptional) {
            return GraderFields.readStored(document, agents::read, deliveries);
        }
        graders = graders(document, strategy, agents, deliveries);
        return List.copyOf(graders.keySet());
    }

    /** The graders of a document that users submit, by where they stand in it. */
    static Map<CheckGrader, String> graders(
            FieldReader document, Strategy strategy, AgentReader agents, DeliveryReader deliveries) {
        JudgePolicy policy = strategy.judging();
        Judge judge = policy == null ? null : policy.judges().getFirst();
        return GraderFields.read(document, judge, agents::read, deliveries);
    }

    /** The places of the campaign's graders in its document. */
    Map<CheckGrader, String> graderPaths() {
        return graders;
    }

    /** The grader of a check of a campaign that was read. */
    public static CheckGrader grader(CampaignDefinition definition, GradedRule rule) {
        if (rule.grader() == null) {
            return definition.graders().getFirst();
        }
        Problems problems = new Problems();
        Agent agent = new AgentReader(new SubmittedCassettes())
                .read(FieldReader.of(rule.grader(), "grader", GraderFields.FIELDS, problems));
        if (!problems.none()) {
            throw new IllegalArgumentException("The stored grader of a check cannot be read: " + problems.errors());
        }
        return definition.graders().stream()
                .filter(grader -> grader.agent().equals(agent))
                .findFirst()
                .orElseGet(() -> new CheckGrader(agent));
    }

    /** Reads the tools that all branches share. */
    static List<Tool> sharedTools(FieldReader document) {
        List<Tool> tools = document.list("tools", new ToolReader()::read);
        BranchReader.checkCount(document, tools);
        return tools;
    }

    /** Checks the total size of a text that is written once and stored with every branch. */
    static void checkRepeated(FieldReader document, String field, long length, int branches) {
        if (length * branches > MAX_REPEATED) {
            document.problem(
                    field,
                    "`" + field + "` has " + length + " characters, which each of " + branches
                            + " branches stores; keep the product below " + MAX_REPEATED + ".");
        }
    }

    static List<Branch> branches(FieldReader document, BranchReader reader) {
        List<Branch> branches = document.nonEmptyList("branches", reader::read);
        if (branches.size() > MAX_BRANCHES) {
            document.problem(
                    "branches",
                    "There are " + branches.size() + " branches; compare at most " + MAX_BRANCHES
                            + " in one campaign.");
        }
        return branches;
    }
}
