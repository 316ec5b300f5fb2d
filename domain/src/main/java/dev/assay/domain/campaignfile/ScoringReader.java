package dev.assay.domain.campaignfile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.campaign.CampaignMetadata;
import dev.assay.domain.campaign.CampaignWarning;
import dev.assay.domain.campaign.CheckGrader;
import dev.assay.domain.campaign.CodeFiles;
import dev.assay.domain.campaign.Reporting;
import dev.assay.domain.campaignfile.agent.AgentReader;
import dev.assay.domain.campaignfile.delivery.DeliveryReader;
import dev.assay.domain.campaignfile.grader.GraderFields;
import dev.assay.domain.campaignfile.strategy.StrategyReader;
import dev.assay.domain.check.Check;
import dev.assay.domain.check.CheckReader;
import dev.assay.domain.check.Checks;
import dev.assay.domain.check.TargetCheck;
import dev.assay.domain.check.code.CodeNeed;
import dev.assay.domain.document.DocumentLimits;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.Problems;
import dev.assay.domain.document.Suggestion;
import dev.assay.domain.document.TextRules;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.gate.GatePolicy;
import dev.assay.domain.judge.JudgeFormat;
import dev.assay.domain.plan.OrderRule;
import dev.assay.domain.provider.WorkerCapabilities;
import dev.assay.domain.reducer.ReducerReader;
import dev.assay.domain.selection.Strategy;
import dev.assay.domain.stop.StopRule;
import dev.assay.domain.suite.Case;
import dev.assay.domain.suite.GroupBy;
import dev.assay.domain.suite.Suite;
import dev.assay.domain.suite.TargetTexts;
import dev.assay.domain.tool.CodeAllowance;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The reader of scoring files: what judges the stored answers of a campaign anew. What comes out is a campaign of which every branch is
 * answered. It finds every error at once, each with its path.
 */
public final class ScoringReader {

    private static final String WHAT = "scoring file";

    /** The fields of a scoring file. */
    static final Fields FIELDS = Fields.of(
            "scoring",
            "name",
            "description",
            "checks",
            "cases",
            "keepChecks",
            "targetCheck",
            "branches",
            "grader",
            "strategy",
            "gate",
            "reducers",
            "statistics",
            "limits",
            "code",
            "codeInclude",
            "codeEnv");

    /** The fields of one of its cases. */
    static final Fields CASE = Fields.of("scoringCase", "id", "checks", "threshold");

    private static final String KEEP = "keepChecks";
    private static final String TARGET_CHECK = "targetCheck";
    private static final String TARGET = "target";
    private static final Map<String, TargetCheck> TARGET_CHECKS = Arrays.stream(TargetCheck.values())
            .collect(Collectors.toMap(TargetCheck::word, Function.identity(), (one, _) -> one, LinkedHashMap::new));

    private final FieldReader fields;
    private final @Nullable String description;
    private final CampaignDefinition of;
    private final Suite suite;
    private final Problems problems = new Problems();
    private final SubmittedCassettes cassettes = new SubmittedCassettes();
    private final AgentReader agents = new AgentReader(cassettes);

    private ScoringReader(JsonNode document, CampaignDefinition of, Suite suite) {
        this.fields = FieldReader.of(document, "", FIELDS, problems);
        this.description = fields.nullableText("description");
        this.of = of;
        this.suite = suite;
    }

    /**
     * Reads a scoring of a campaign.
     *
     * @param of the campaign whose answers are scored, with its trials in force
     * @param suite its cases
     * @param offer what the scoring can make use of; null: nothing is checked about that
     * @throws AssayException INVALID_INPUT with all errors
     */
    public static CampaignSubmission read(
            JsonNode document, CampaignDefinition of, Suite suite, @Nullable WorkerCapabilities offer) {
        Problems shallow = new Problems();
        if (!DocumentLimits.isShallow(document, "", shallow)) {
            shallow.throwIfAny(WHAT);
        }
        return new ScoringReader(document, of, suite).read(document, offer);
    }

    /** What the own code needs that stands in a scoring file, which may have errors; not that of checks that stay. */
    public static CodeAllowance codeOf(JsonNode document) {
        if (!DocumentLimits.isShallow(document, "", new Problems())) {
            return CodeAllowance.NONE;
        }
        Set<CodeNeed> needs = new LinkedHashSet<>();
        WrittenCode.visit(document, code -> needs.add(code.need()));
        return CodeRules.allowance(needs, CodeFilesReader.read(FieldReader.of(document, "", FIELDS, new Problems())));
    }

    private CampaignSubmission read(JsonNode document, @Nullable WorkerCapabilities offer) {
        List<Branch> branches = branches();
        DeliveryReader deliveries = DeliveryReader.ofScoring();
        Strategy strategy =
                new StrategyReader(agents, JudgeFormat.Reading.ONE_NUMBER, deliveries).read(fields, branches.size());
        boolean keeps = fields.flag(KEEP, false);
        Map<String, Own> own = ownChecks();
        TargetCheck target = fields.hasValue(TARGET_CHECK) ? fields.word(TARGET_CHECK, TARGET_CHECKS) : null;
        Checks shared = new Checks(fields.list("checks", CheckReader::read));
        Suite scored = new Suite(
                suite.name(),
                suite.cases().stream()
                        .map(one -> scored(one, keeps, own.get(one.id()), target, shared))
                        .toList());
        checkTargets(target);
        Map<CheckGrader, String> graders = DefinitionReader.graders(fields, strategy, agents, deliveries);
        CampaignDefinition definition = new CampaignDefinition(
                fields.hasValue("name") ? fields.line("name", DefinitionReader.MAX_NAME) : of.name(),
                branches,
                of.trials(),
                strategy,
                gate(branches),
                LimitsReader.read(fields, branches),
                reporting(scored),
                graders(graders.keySet(), keeps),
                code(),
                null);
        checkWork(definition, scored);
        return submission(document, definition.answered(), scored, graders, offer);
    }

    private CampaignSubmission submission(
            JsonNode document,
            CampaignDefinition definition,
            Suite scored,
            Map<CheckGrader, String> graders,
            @Nullable WorkerCapabilities offer) {
        if (offer != null) {
            CampaignReader.check(definition, graders, List.of(), offer, problems);
        }
        DocumentLimits.check(document, "", problems);
        if (definition.code().workspaceId() == null && !problems.foundAt("code")) {
            CodeRules.checkNoFiles(document, definition, scored, problems);
        }
        problems.throwIfAny(WHAT);
        if (offer != null && offer.tools() != null) {
            CodeRules.requireCode(document, definition, scored, offer.tools());
        }
        return new CampaignSubmission(
                definition,
                scored,
                cassettes.all(),
                DefinitionWriter.write(definition, description),
                StopRule.NONE,
                OrderRule.GIVEN,
                CampaignWarning.of(definition, document.path("strategy").has("fence")),
                CampaignMetadata.NONE);
    }

    /** The chosen branches, in the order of the campaign. */
    private List<Branch> branches() {
        List<String> known = of.branches().stream().map(Branch::id).toList();
        Set<String> named = new LinkedHashSet<>();
        fields.list("branches", (node, path, found) -> {
            String id = TextRules.textItem(node, path, found);
            if (id != null && !known.contains(id)) {
                found.add(path, "There is no branch `" + id + "`; " + Suggestion.of(id, known, "branches"));
            } else if (id != null && !named.add(id)) {
                found.add(path, "Branch `" + id + "` is named twice; remove one.");
            }
            return id;
        });
        List<Branch> chosen = of.branches().stream()
                .filter(branch -> named.isEmpty() || named.contains(branch.id()))
                .toList();
        return chosen.isEmpty() ? of.branches() : chosen;
    }

    /** What the file says of one case. */
    private record Own(List<Check> checks, @Nullable BigDecimal threshold) {}

    private Map<String, Own> ownChecks() {
        List<String> known = suite.cases().stream().map(Case::id).toList();
        Set<String> ids = Set.copyOf(known);
        Map<String, Own> own = new HashMap<>();
        fields.list("cases", (node, path, found) -> {
            FieldReader one = FieldReader.of(node, path, CASE, found);
            String id = one.id("id");
            Checks checks = Checks.read(one, new Checks(List.of()));
            if (one.isWrong("id") || !one.has("id")) {
                return path;
            }
            if (!ids.contains(id)) {
                one.problem("id", "There is no case `" + id + "`; " + Suggestion.of(id, known, "cases"));
            } else if (own.putIfAbsent(id, new Own(checks.all(), checks.threshold())) != null) {
                one.problem("id", "Case `" + id + "` is named twice; write its checks in one place.");
            }
            return path;
        });
        return own;
    }

    private static Case scored(
            Case one, boolean keeps, @Nullable Own own, @Nullable TargetCheck target, Checks shared) {
        Stream<Check> kept = keeps ? one.checks().all().stream() : Stream.of();
        Stream<Check> added = own == null ? Stream.of() : own.checks().stream();
        List<Check> all = Stream.of(kept, added, ofTarget(one, target), shared.all().stream())
                .flatMap(checks -> checks)
                .toList();
        BigDecimal threshold = own != null && own.threshold() != null
                ? own.threshold()
                : keeps ? one.checks().threshold() : null;
        return new Case(
                one.id(),
                one.question(),
                new Checks(all, threshold, one.checks().transform()),
                one.tags(),
                one.metadata(),
                one.workspaceSubdir());
    }

    private static Stream<Check> ofTarget(Case one, @Nullable TargetCheck check) {
        String target = one.metadata().get(TARGET);
        if (check == null || target == null) {
            return Stream.of();
        }
        ObjectNode written = check.check(TargetTexts.read(target));
        Problems problems = new Problems();
        Check read = CheckReader.read(written, TARGET_CHECK, problems);
        // A target that is no pattern decides nothing; `checkTargets` reports it.
        return problems.none() ? Stream.ofNullable(read) : Stream.of();
    }

    private void checkTargets(@Nullable TargetCheck check) {
        if (check == null) {
            return;
        }
        if (suite.cases().stream().noneMatch(one -> one.metadata().containsKey(TARGET))) {
            fields.problem(
                    TARGET_CHECK, "No case of the campaign has a target in its metadata; write `checks` instead.");
        }
        for (Case one : suite.cases()) {
            String target = one.metadata().get(TARGET);
            Problems wrong = new Problems();
            if (target != null) {
                CheckReader.read(check.check(TargetTexts.read(target)), TARGET_CHECK, wrong);
            }
            if (!wrong.none()) {
                fields.problem(
                        TARGET_CHECK,
                        "The target of case `" + one.id() + "` cannot be checked so: "
                                + wrong.errors().getFirst().message());
                return;
            }
        }
    }

    /** The file's gate, or that of the campaign for the branches that are scored. */
    private GatePolicy gate(List<Branch> branches) {
        if (fields.hasValue("gate")) {
            return GateReader.read(fields, branches);
        }
        List<String> ids = branches.stream().map(Branch::id).toList();
        GatePolicy gate = of.gate();
        return new GatePolicy(
                gate.passThreshold(),
                gate.suiteThreshold(),
                gate.branches().stream().filter(ids::contains).toList(),
                gate.demands(),
                gate.rule(),
                gate.baseline());
    }

    private Reporting reporting(Suite scored) {
        GroupBy groupBy = fields.hasValue("statistics")
                ? GroupBy.read(fields)
                : of.reporting().groupBy();
        if (groupBy != null) {
            groupBy.check(fields, scored.cases());
        }
        return new Reporting(
                fields.hasValue("reducers")
                        ? ReducerReader.read(fields, of.trials())
                        : of.reporting().reducers(),
                groupBy);
    }

    /** The graders that the file names, and those of the checks that stay. The first one grades where a check names none. */
    private List<CheckGrader> graders(Set<CheckGrader> named, boolean keeps) {
        Set<CheckGrader> all = new LinkedHashSet<>();
        if (keeps && fields.hasValue("grader") && !fields.isWrong("grader")) {
            // It grades the checks that stay, too; what is wrong with it was reported.
            FieldReader written = fields.silent().object("grader", GraderFields.FIELDS);
            all.add(new CheckGrader(agents.read(Objects.requireNonNull(written))));
        }
        boolean ownComeFirst = named.isEmpty() || !keeps || fields.hasValue("grader");
        List<CheckGrader> kept =
                keeps ? of.graderAgents().stream().map(CheckGrader::new).toList() : List.of();
        all.addAll(ownComeFirst ? named : kept);
        all.addAll(ownComeFirst ? kept : named);
        return new ArrayList<>(all);
    }

    private CodeFiles code() {
        CodeFiles written = CodeFilesReader.read(fields);
        return new CodeFiles(
                fields.hasValue("code") ? written.workspaceId() : of.code().workspaceId(),
                fields.hasValue("codeEnv") ? written.env() : of.code().env());
    }

    /** Without a check, a judge or a grader a scoring would say nothing. */
    private void checkWork(CampaignDefinition definition, Suite scored) {
        boolean hasChecks =
                scored.cases().stream().anyMatch(one -> !one.checks().all().isEmpty());
        if (!hasChecks && !definition.strategy().mayAsk() && problems.none()) {
            problems.add(
                    "checks",
                    "There is nothing to score by; write `checks`, `keepChecks: true`, or a `strategy` with judges.");
        }
    }
}
