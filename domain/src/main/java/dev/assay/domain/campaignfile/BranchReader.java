package dev.assay.domain.campaignfile;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.AgentLimits;
import dev.assay.domain.agent.InputFilterReader;
import dev.assay.domain.agent.kind.AgentKinds;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaign.Wording;
import dev.assay.domain.campaignfile.agent.AgentReader;
import dev.assay.domain.campaignfile.delivery.DeliveryReader;
import dev.assay.domain.check.LostRule;
import dev.assay.domain.check.code.CodeReader;
import dev.assay.domain.delivery.DeliveryWish;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.IdRule;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.document.Problems;
import dev.assay.domain.template.TemplateReader;
import dev.assay.domain.tool.Tool;
import dev.assay.domain.tool.ToolReader;
import dev.assay.domain.tool.Toolset;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The reader of the branches of one campaign, each id once. */
final class BranchReader {

    static final Fields FIELDS = new Fields("branch", names(), Map.of("parameters", AgentReader.parameters()));

    /** What an import left out of a branch. */
    static final String LOST = "lost";

    static final String PARALLEL = "parallel";
    static final String SEQUENTIAL = "sequential";

    static final Fields LIMITS = Fields.of("branchLimits", "maxTurns", "maxTokens", "maxSeconds", "maxCostUsd");

    /** The ways to run the calls of one turn; the value says whether they run one after the other. */
    private static final Map<String, Boolean> EXECUTIONS = executions();

    private static final int MAX_TOOLS = 100;
    private static final NumberRule CONTEXT = NumberRule.whole(1, Integer.MAX_VALUE);
    private static final NumberRule TURNS = NumberRule.whole(1, 10_000);
    private static final NumberRule TOKENS = NumberRule.whole(1, 1_000_000_000_000L);

    private final AgentReader agents;
    private final boolean idsAreOptional;
    private final List<Tool> shared;
    private final boolean templateVars;
    private final DeliveryReader deliveries;
    private final Map<String, String> pathOfId = new HashMap<>();

    /**
     * @param idsAreOptional whether the id of a branch that has none is made up; else that is an error
     * @param shared the tools that a branch has beside its own, unless it refuses all by an empty list
     * @param templateVars the document's field of this name
     * @param deliveries reads how branches are asked
     */
    BranchReader(
            AgentReader agents,
            boolean idsAreOptional,
            List<Tool> shared,
            boolean templateVars,
            DeliveryReader deliveries) {
        this.agents = agents;
        this.idsAreOptional = idsAreOptional;
        this.shared = shared;
        this.templateVars = templateVars;
        this.deliveries = deliveries;
    }

    Branch read(JsonNode node, String path, Problems problems) {
        FieldReader fields = FieldReader.of(node, path, FIELDS, problems);
        boolean isNamed = !idsAreOptional || fields.has("id");
        String given = isNamed ? givenId(fields, path) : null;
        Agent agent = agents.readBranch(fields);
        String id = given == null ? madeUpId(agent, path) : given;
        Branch branch = new Branch(
                id,
                isNamed,
                agent,
                new Wording(
                        fields.nullableText("systemPrompt"),
                        isCode(fields) ? null : TemplateReader.read(fields),
                        templateVars,
                        isCode(fields) ? CodeReader.prompt(fields) : null,
                        CodeReader.transform(fields),
                        fields.hasValue(LOST) ? fields.line(LOST, LostRule.MAX_PATH) : null),
                limits(fields),
                tools(fields, agent),
                fields.list("inputFilters", InputFilterReader::read),
                fields.hasValue("maxContextTokens") ? fields.integer("maxContextTokens", CONTEXT, 1) : null,
                DeliveryWish.LIVE);
        return branch.with(deliveries.of(fields, branch));
    }

    private static boolean isCode(FieldReader fields) {
        JsonNode template = fields.node(CodeReader.TEMPLATE);
        return template != null && template.isObject();
    }

    private static List<String> names() {
        Stream<String> shared = Stream.of(
                "systemPrompt",
                "template",
                CodeReader.TRANSFORM,
                LOST,
                "limits",
                "tools",
                "toolExecution",
                "inputFilters",
                "maxContextTokens");
        return Stream.of(Stream.of("id", "kind"), AgentReader.branchFields(), shared, DeliveryReader.NAMES.stream())
                .flatMap(names -> names)
                .toList();
    }

    private String givenId(FieldReader fields, String path) {
        String id = fields.id("id");
        String earlier = fields.isWrong("id") || !fields.has("id") ? null : pathOfId.putIfAbsent(id, path);
        if (earlier != null) {
            fields.problem(
                    "id",
                    "Branch id `" + id + "` is already the id of `" + earlier
                            + "`; give every branch an id of its own.");
        }
        return id;
    }

    /** Named after its agent; a number follows where a branch before has that id already. */
    private String madeUpId(Agent agent, String path) {
        String name = IdRule.fit(agent.segment());
        String id = name;
        for (int n = 2; pathOfId.putIfAbsent(id, path) != null; n++) {
            id = name + "-" + n;
        }
        return id;
    }

    private Toolset tools(FieldReader branch, Agent agent) {
        if (!AgentKinds.takes(agent, "tools")) {
            return Toolset.NONE;
        }
        List<Tool> own = branch.list("tools", new ToolReader()::read);
        List<Tool> tools = branch.has("tools") && own.isEmpty() ? own : Toolset.join(shared, own);
        checkCount(branch, tools);
        return new Toolset(tools, branch.word("toolExecution", EXECUTIONS, false));
    }

    /** @param of what they are tools of */
    static void checkCount(FieldReader of, List<Tool> tools) {
        if (tools.size() > MAX_TOOLS) {
            of.problem("tools", "There are " + tools.size() + " tools; offer at most " + MAX_TOOLS + ".");
        }
    }

    private static Map<String, Boolean> executions() {
        Map<String, Boolean> executions = new LinkedHashMap<>();
        executions.put(PARALLEL, false);
        executions.put(SEQUENTIAL, true);
        return executions;
    }

    private static AgentLimits limits(FieldReader branch) {
        FieldReader fields = branch.objectOrEmpty("limits", LIMITS);
        AgentLimits defaults = AgentLimits.DEFAULT;
        return new AgentLimits(
                fields.integer("maxTurns", TURNS, defaults.maxTurns()),
                fields.longInteger("maxTokens", TOKENS, defaults.maxTokens()),
                fields.seconds("maxSeconds", LimitsReader.SECONDS, defaults.maxDuration()),
                fields.nullableDecimal("maxCostUsd", LimitsReader.MONEY));
    }
}
