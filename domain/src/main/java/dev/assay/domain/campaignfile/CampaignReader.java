package dev.assay.domain.campaignfile;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.InputFilterReader;
import dev.assay.domain.agent.kind.AgentKinds;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.campaign.CampaignMetadata;
import dev.assay.domain.campaign.CampaignWarning;
import dev.assay.domain.campaign.CheckGrader;
import dev.assay.domain.campaignfile.agent.StoredCassettes;
import dev.assay.domain.campaignfile.command.CommandRules;
import dev.assay.domain.campaignfile.delivery.DeliveryReader;
import dev.assay.domain.campaignfile.grader.GraderFields;
import dev.assay.domain.campaignfile.strategy.StrategyReader;
import dev.assay.domain.check.CheckReader;
import dev.assay.domain.check.code.CodeReader;
import dev.assay.domain.definition.Definitions;
import dev.assay.domain.document.DocumentLimits;
import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.Problems;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.message.MessageReader;
import dev.assay.domain.plan.OrderRule;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.provider.WorkerCapabilities;
import dev.assay.domain.selection.Strategy;
import dev.assay.domain.stop.StopReader;
import dev.assay.domain.stop.StopRule;
import dev.assay.domain.suite.Case;
import dev.assay.domain.suite.CaseReader;
import dev.assay.domain.suite.GroupBy;
import dev.assay.domain.suite.Suite;
import dev.assay.domain.suite.SuiteReader;
import dev.assay.domain.template.TemplateReader;
import dev.assay.domain.text.Excerpt;
import dev.assay.domain.tool.Tool;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.domain.tool.ToolReader;
import dev.assay.domain.usage.UsageReader;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The reader of campaign files. It finds every error at once, each with its path. */
public final class CampaignReader {

    private static final String WHAT = "campaign file";

    private static final Fields FIELDS = Fields.of(
            "campaign",
            "name",
            "description",
            MetadataReader.NAME,
            "suite",
            "cases",
            "checks",
            "transform",
            "templateVars",
            "tools",
            "branches",
            "trials",
            "strategy",
            "gate",
            "limits",
            "reducers",
            "grader",
            "code",
            "codeInclude",
            "codeEnv",
            "stop",
            "order",
            "statistics",
            "lost",
            ReuseReader.FIELD,
            DeliveryReader.FIELD,
            DeliveryReader.DEADLINE);

    /** In stored documents: whether the answers of branches are those that they gave in another campaign. */
    static final String ANSWERED = "answered";

    private static final Fields STORED_FIELDS = new Fields(
            "campaign",
            Stream.concat(FIELDS.names().stream(), Stream.of(ANSWERED)).toList());

    private CampaignReader() {}

    /** The fields that may be written at each level of a campaign file. The JSON Schema and the reference name the same. */
    static List<Fields> fields() {
        Stream<Fields> own = Stream.of(
                FIELDS,
                SuiteReader.FIELDS,
                CaseReader.FIELDS,
                CheckReader.FIELDS,
                CodeReader.FIELDS,
                CodeReader.FILE,
                CodeReader.PROMPT,
                CodeReader.PROMPT_FILE,
                BranchReader.FIELDS,
                BranchReader.LIMITS,
                TemplateReader.FIELDS,
                ToolReader.FIELDS,
                InputFilterReader.FIELDS,
                UsageReader.FIELDS,
                GraderFields.FIELDS,
                GroupBy.FIELDS,
                GateReader.FIELDS,
                GateReader.RULE,
                GateReader.BASELINE,
                LostReader.FIELDS,
                ReuseReader.FIELDS,
                LimitsReader.FIELDS);
        Stream<Fields> ofAgents = AgentKinds.all().stream().flatMap(kind -> kind.objects().stream());
        return Stream.of(own, ofAgents, StrategyReader.fields().stream(), MessageReader.FIELDS.stream())
                .flatMap(fields -> fields)
                .toList();
    }

    /** As {@link #read(JsonNode, WorkerCapabilities)}, where no worker says what tools may reach, or has a custom strategy. */
    public static CampaignSubmission read(JsonNode document, Map<String, ProviderInfo> providers) {
        return read(document, new WorkerCapabilities(providers, null, Set.of()));
    }

    /** As {@link #read(JsonNode, WorkerCapabilities)}, where no worker has a custom strategy. */
    public static CampaignSubmission read(
            JsonNode document, Map<String, ProviderInfo> providers, @Nullable ToolPolicy policy) {
        return read(document, new WorkerCapabilities(providers, policy, Set.of()));
    }

    /**
     * Reads a submitted campaign, in which {@code suite} and {@code cassette} files were inlined already.
     *
     * @param document the campaign file as a tree
     * @param offer what the campaign can make use of
     * @throws AssayException INVALID_INPUT with all errors
     */
    public static CampaignSubmission read(JsonNode document, WorkerCapabilities offer) {
        return readOffered(document, offer);
    }

    /**
     * As {@link #read}, for a server that itself knows its workers' offers: nothing is checked about those.
     *
     * @throws AssayException INVALID_INPUT with all errors
     */
    public static CampaignSubmission readForServer(JsonNode document) {
        return readOffered(document, null);
    }

    private static CampaignSubmission readOffered(JsonNode document, @Nullable WorkerCapabilities offer) {
        Problems problems = new Problems();
        if (!DocumentLimits.isShallow(document, "", problems)) {
            problems.throwIfAny(WHAT);
        }
        FieldReader fields = FieldReader.of(document, "", FIELDS, problems);
        SubmittedCassettes cassettes = new SubmittedCassettes();
        List<Tool> shared = DefinitionReader.sharedTools(fields);
        DefinitionReader reader = new DefinitionReader(cassettes);
        CampaignDefinition definition = reader.read(fields, shared);
        String description = fields.nullableText("description");
        CampaignMetadata metadata = MetadataReader.read(fields);
        Suite suite = suite(fields, definition, problems);
        StopRule stop = StopReader.read(fields, definition.gate());
        OrderRule order = fields.word("order", OrderRule.words(), usualOrder(stop));
        if (offer != null) {
            check(definition, reader.graderPaths(), shared, offer, problems);
        }
        DocumentLimits.check(document, "", problems);
        if (definition.code().workspaceId() == null && !problems.foundAt("code")) {
            CodeRules.checkNoFiles(document, definition, suite, problems);
        }
        problems.throwIfAny(WHAT);
        Suite read = Objects.requireNonNull(suite, "A campaign file without errors has a suite");
        definition = definition.with(definition
                .gate()
                .with(LostReader.with(definition.gate().demands().lost(), read)));
        if (offer != null && offer.tools() != null) {
            CodeRules.requireCode(document, definition, read, offer.tools());
        }
        return new CampaignSubmission(
                definition,
                read,
                cassettes.all(),
                DefinitionWriter.write(definition, description),
                stop,
                order,
                CampaignWarning.of(definition, document.path("strategy").has("fence")),
                metadata);
    }

    /** Whether a campaign file, which may have errors, starts processes of its author's: programs of branches, or own code. */
    public static boolean mayStartProcesses(JsonNode document) {
        return document.path("branches").findParent("command") != null
                || (DocumentLimits.isShallow(document, "", new Problems()) && WrittenCode.mayBeIn(document));
    }

    /** Where the first rounds decide, no case is to come first because of its place in the file. */
    private static OrderRule usualOrder(StopRule stop) {
        return switch (stop) {
            case NONE, SETTLED -> OrderRule.GIVEN;
            case SURE -> OrderRule.DRAWN;
        };
    }

    private static @Nullable Suite suite(FieldReader fields, CampaignDefinition definition, Problems problems) {
        int before = problems.count();
        Suite suite = SuiteReader.read(fields, definition.name());
        checkSize(fields, definition, suite);
        if (definition.groupBy() != null && suite != null) {
            definition.groupBy().check(fields, suite.cases());
        }
        if (problems.count() == before) {
            checkTemplates(definition, suite, problems);
        }
        return suite;
    }

    /**
     * Reports needs of the campaign that workers do not meet.
     *
     * @param graders where the campaign's graders stand in its document
     * @param shared the tools that branches have beside their own
     */
    static void check(
            CampaignDefinition definition,
            Map<CheckGrader, String> graders,
            List<Tool> shared,
            WorkerCapabilities offer,
            Problems problems) {
        new ProviderRules(offer.providers(), problems).check(definition, graders);
        checkCustom(definition.strategy(), offer.strategies(), problems);
        if (offer.tools() != null) {
            checkTools(definition, shared, offer.tools(), problems);
            if (problems.none()) {
                CommandRules.requireAgents(definition, offer.tools());
            }
        }
    }

    private static void checkCustom(Strategy strategy, Set<String> known, Problems problems) {
        String path = "strategy.name";
        String name = strategy.plugin().map(Strategy.Custom::name).orElse(null);
        if (name == null || problems.foundAt(path) || known.contains(name)) {
            return;
        }
        String have = known.isEmpty()
                ? "no worker has one; put its JAR file among the plugins of the workers."
                : "workers have " + String.join(", ", new TreeSet<>(known)) + ".";
        problems.add(path, "Unknown custom strategy `" + Excerpt.of(name) + "`; " + have);
    }

    private static void checkTools(
            CampaignDefinition definition, List<Tool> shared, ToolPolicy policy, Problems problems) {
        ToolReader.check(shared, policy, "tools", problems);
        for (int i = 0; i < definition.branches().size(); i++) {
            if (definition.branches().get(i).isAnswered()) {
                // Nobody is asked.
                continue;
            }
            String path = DocumentPath.field(DocumentPath.item("branches", i), "tools");
            List<Tool> own = definition.branches().get(i).tools().tools().stream()
                    .filter(tool -> !shared.contains(tool))
                    .toList();
            ToolReader.check(own, policy, path, problems);
            Agent agent = definition.branches().get(i).agent();
            AgentKinds.of(agent).checkAllowed(agent, policy, DocumentPath.item("branches", i), problems);
        }
    }

    private static void checkSize(FieldReader fields, CampaignDefinition definition, @Nullable Suite suite) {
        int cases = suite == null ? 0 : suite.cases().size();
        String wrong =
                sizeProblem(cases, definition.trials(), definition.branches().size());
        if (wrong != null) {
            fields.problem("trials", wrong);
        }
    }

    /** A case that has nothing but vars is asked by templates only. */
    private static void checkTemplates(CampaignDefinition definition, @Nullable Suite suite, Problems problems) {
        String templated = suite == null
                ? null
                : suite.cases().stream()
                        .filter(one -> one.question().needsTemplate())
                        .map(Case::id)
                        .findFirst()
                        .orElse(null);
        for (int i = 0; templated != null && i < definition.branches().size(); i++) {
            String path = DocumentPath.field(DocumentPath.item("branches", i), "template");
            if (!definition.branches().get(i).wording().replacesPrompts() && !problems.foundAt(path)) {
                problems.add(
                        path,
                        "`template` is missing: the case `" + templated
                                + "` has vars and no prompt. Write a template, or a prompt in the case.");
            }
        }
    }

    /** The problem with the size of a campaign; null: none. Trials and cells are numbered by integers of 32 bits. */
    public static @Nullable String sizeProblem(int cases, int trials, int branches) {
        long cells = (long) cases * trials * branches;
        return cells <= Integer.MAX_VALUE
                ? null
                : "The campaign has " + cells + " cells (cases × trials × branches); keep it below " + Integer.MAX_VALUE
                        + ", or split it.";
    }

    /**
     * Reads back a document that {@link CampaignSubmission#document} stored.
     *
     * @throws IllegalArgumentException when {@code document} is no such document
     */
    public static CampaignDefinition readStored(JsonNode document) {
        Problems problems = new Problems();
        FieldReader fields = FieldReader.of(document, "", STORED_FIELDS, problems);
        CampaignDefinition definition =
                Definitions.trusted(() -> new DefinitionReader(new StoredCassettes()).read(fields, List.of()));
        boolean isAnswered = fields.flag(ANSWERED, false);
        if (!problems.none()) {
            throw new IllegalArgumentException("Stored campaign cannot be read: " + problems.errors());
        }
        return isAnswered ? definition.answered() : definition;
    }
}
