package dev.assay.domain.promptfoo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.check.LostRule;
import dev.assay.domain.document.ActualValue;
import dev.assay.domain.document.DocumentLimits;
import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.document.DocumentText;
import dev.assay.domain.document.Problems;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.imports.FreeIds;
import dev.assay.domain.imports.ImportDefaults;
import dev.assay.domain.imports.ImportReport;
import dev.assay.domain.imports.Imported;
import dev.assay.domain.imports.LostPart;
import dev.assay.domain.imports.SourceFiles;
import dev.assay.domain.imports.SourcePrograms;
import dev.assay.domain.json.JsonNumbers;
import dev.assay.domain.promptfoo.TestReader.Written;
import dev.assay.domain.suite.SuiteReader;
import dev.assay.domain.text.Excerpt;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A configuration of promptfoo as a campaign file: a branch for each column, a case for each test. */
public final class PromptfooConfig {

    private static final String FILE = "file://";

    private static final Set<String> KNOWN = Set.of(
            "description",
            "prompts",
            "providers",
            "targets",
            "tests",
            "scenarios",
            "defaultTest",
            "assertionTemplates",
            "evaluateOptions",
            "commandLineOptions",
            "$schema");

    /** Two of these make a file one of promptfoo; a campaign file has none of them. */
    private static final List<String> SIGNS =
            List.of("prompts", "providers", "targets", "tests", "scenarios", "defaultTest", "redteam");

    /** What promptfoo sends where no prompt is written. */
    private static final String USUAL_PROMPT = "{{prompt}}";

    /** Fields that change answers or verdicts. */
    private static final Set<String> UNMAPPED = Set.of("env", "extensions", "nunjucksFilters");

    /** Hooks that run when all that decides is over. */
    private static final Pattern LATE_HOOK = Pattern.compile(".*:after(?:All|Each)");

    /** promptfoo's default of concurrent calls. */
    private static final int CONCURRENCY = 4;

    private final SourceFiles files;
    private final SourcePrograms programs;
    private final ImportDefaults defaults;
    private final ImportReport report = new ImportReport();

    private PromptfooConfig(SourceFiles files, SourcePrograms programs, ImportDefaults defaults) {
        this.files = files;
        this.programs = programs;
        this.defaults = defaults;
    }

    /** Whether the text of a document may be that of a configuration, which saves parsing others. */
    public static boolean mayBe(String text) {
        return List.of("prompts", "providers", "targets").stream().anyMatch(text::contains);
    }

    /** Whether {@code document} is a configuration of promptfoo rather than a campaign file. */
    public static boolean is(JsonNode document) {
        boolean isOurs = document.has("branches") || document.has("cases") || document.has("suite");
        return !isOurs && SIGNS.stream().filter(document::has).count() > 1;
    }

    /**
     * Reads a configuration.
     *
     * @param name of the campaign where the configuration has no description
     * @param programs runs what gives tests, vars and values
     * @param defaults what holds where it names no model
     */
    public static Imported read(
            JsonNode document, String name, SourceFiles files, SourcePrograms programs, ImportDefaults defaults) {
        PromptfooConfig config = new PromptfooConfig(files, programs, defaults);
        Problems deep = new Problems();
        ObjectNode campaign = JsonNodeFactory.instance.objectNode();
        if (DocumentLimits.isShallow(document, "", deep)) {
            campaign = config.campaign(References.resolve(document, config.report), name);
        }
        deep.errors().forEach(error -> config.report.error(error.path(), error.message()));
        return new Imported(campaign, config.report);
    }

    private ObjectNode campaign(JsonNode config, String name) {
        reportForeign(config);
        String description = config.path("description").asText("").strip();
        ObjectNode campaign = JsonNodeFactory.instance
                .objectNode()
                .put(
                        "name",
                        Excerpt.first(
                                description.isEmpty()
                                        ? name
                                        : description.lines().findFirst().orElse(name),
                                SuiteReader.MAX_NAME));
        if (description.lines().count() > 1) {
            campaign.put("description", description);
        }
        CaseWriter cases = new CaseWriter(files, programs, report, defaults);
        tests(config).forEach(cases::write);
        campaign.set("cases", cases.cases());
        if (cases.haveTemplatesAsVars()) {
            campaign.put("templateVars", true);
        }
        ArrayNode branches = branches(config, cases.hasAffixes());
        if (report.code().owners().stream().anyMatch(CodeWriter::isFile)) {
            campaign.put("code", ".");
        }
        campaign.set("branches", branches);
        if (branches.size() > 1) {
            campaign.putObject("strategy").put("type", "pick-first");
        }
        putOptions(config.path("evaluateOptions"), config.path("commandLineOptions"), campaign);
        report.putLost(campaign);
        return campaign;
    }

    private void reportForeign(JsonNode config) {
        config.properties().forEach(field -> {
            String name = field.getKey();
            boolean isEmpty =
                    field.getValue().isContainerNode() && field.getValue().isEmpty();
            if (name.equals("redteam")) {
                report.note(name, "Left out: promptfoo's `eval` does not read it.");
            } else if (name.equals("extensions") && isLate(field.getValue())) {
                report.note(name, "Left out: `afterAll` and `afterEach` change no verdict.");
            } else if (UNMAPPED.contains(name) && !isEmpty) {
                report.unmapped(LostPart.SETTING, name, "`" + name + "` has no counterpart.");
            } else if (!KNOWN.contains(name)) {
                report.note(DocumentPath.field("", name), "Left out: it changes no verdict.");
            }
        });
    }

    private static boolean isLate(JsonNode extensions) {
        for (JsonNode hook : extensions) {
            if (!LATE_HOOK.matcher(hook.asText()).matches()) {
                return false;
            }
        }
        return extensions.isArray();
    }

    /** Providers outermost, as promptfoo orders its columns. */
    private ArrayNode branches(JsonNode config, boolean hasAffixes) {
        ArrayNode branches = JsonNodeFactory.instance.arrayNode();
        String field = config.has("targets") && !config.has("providers") ? "targets" : "providers";
        List<ProviderColumn> providers =
                new ProviderReader(files, report, defaults.providers()).read(config.get(field), field);
        List<PromptColumn> prompts = new PromptReader(files, report)
                .read(config.has("prompts") ? config.get("prompts") : JsonNodeFactory.instance.textNode(USUAL_PROMPT));
        if (hasAffixes && prompts.stream().anyMatch(PromptColumn::isCode)) {
            report.unmapped(
                    LostPart.SETTING,
                    "prompts",
                    "`prefix` and `suffix` have no counterpart where code says the prompt.");
        }
        FreeIds ids = new FreeIds();
        for (ProviderColumn provider : providers) {
            for (PromptColumn prompt : prompts) {
                if (provider.isAsked(prompt)) {
                    String id = prompts.size() == 1 ? provider.name() : provider.name() + " " + prompt.name();
                    ObjectNode branch = branches.addObject().put("id", ids.of(id, "branch"));
                    branch.setAll(provider.branch().deepCopy());
                    report.code().copied(provider.branch(), branch);
                    if (provider.branch().has(CodeWriter.TRANSFORM)) {
                        // The same object, whose place is known.
                        branch.set(CodeWriter.TRANSFORM, provider.branch().get(CodeWriter.TRANSFORM));
                    }
                    ModelSettings.put(config.path("defaultTest").path("options"), branch);
                    ModelSettings.put(prompt.config(), branch);
                    branch.set("template", hasAffixes ? withAffixes(prompt.template()) : prompt.template());
                    String lost = lost(provider, prompt, hasAffixes);
                    if (lost != null) {
                        branch.put("lost", Excerpt.of(lost, LostRule.MAX_PATH));
                    }
                }
            }
        }
        return branches;
    }

    /** Where a part stands that has no counterpart and without which a column gives other answers; null: it has all. */
    private @Nullable String lost(ProviderColumn provider, PromptColumn prompt, boolean hasAffixes) {
        String lost = Stream.concat(
                        Stream.of(provider.path(), prompt.path()),
                        UNMAPPED.stream().sorted())
                .flatMap(place -> Stream.ofNullable(report.lostSetting(place)))
                .findFirst()
                .orElse(null);
        return lost == null && hasAffixes && prompt.isCode() ? "prompts" : lost;
    }

    private static JsonNode withAffixes(JsonNode template) {
        if (template.isObject()) {
            // Code has the vars, and says all that is asked.
            return template;
        }
        String prefix = "{{ " + CaseWriter.PREFIX + " }}";
        String suffix = "{{ " + CaseWriter.SUFFIX + " }}";
        if (template.isTextual()) {
            return JsonNodeFactory.instance.textNode(prefix + template.textValue() + suffix);
        }
        ArrayNode chat = template.deepCopy();
        if (chat.get(0) instanceof ObjectNode first && chat.get(chat.size() - 1) instanceof ObjectNode last) {
            first.put("content", prefix + first.path("content").asText());
            last.put("content", last.path("content").asText() + suffix);
        }
        return chat;
    }

    /** The tests, then those of the scenarios: each of their tests for each of their data. */
    private List<TestMerge> tests(JsonNode config) {
        Written defaults = defaultTest(config.path("defaultTest"));
        TestMerge.report(defaults, report);
        List<TestMerge> merged = new ArrayList<>();
        TestReader reader = new TestReader(files, programs, report);
        List<Written> tests = reader.read(config.path("tests"), "tests");
        boolean hasScenarios =
                config.path("scenarios").isArray() && !config.path("scenarios").isEmpty();
        if (tests.isEmpty() && !hasScenarios) {
            tests = List.of(new Written(JsonNodeFactory.instance.objectNode(), "tests"));
        }
        for (Written test : tests) {
            TestMerge.report(test, report);
            merged.add(TestMerge.of(List.of(defaults, test), reader));
        }
        for (int i = 0; hasScenarios && i < config.path("scenarios").size(); i++) {
            scenarios(config.path("scenarios").get(i), DocumentPath.item("scenarios", i), defaults, merged);
        }
        return merged;
    }

    /** @param written a scenario, or files of them */
    private void scenarios(JsonNode written, String path, Written defaults, List<TestMerge> merged) {
        if (!written.isTextual()) {
            scenario(written, path, defaults, merged);
            return;
        }
        String name = written.textValue();
        try {
            for (String file : files.matching(name.startsWith(FILE) ? name.substring(FILE.length()) : name)) {
                JsonNode tree = DocumentText.parse(files.text(file));
                for (int i = 0; i < (tree.isArray() ? tree.size() : 1); i++) {
                    scenario(tree.isArray() ? tree.get(i) : tree, DocumentPath.item(file, i), defaults, merged);
                }
            }
        } catch (AssayException e) {
            report.error(path, e.failure().message());
        }
    }

    private void scenario(JsonNode scenario, String path, Written defaults, List<TestMerge> merged) {
        if (!scenario.isObject()) {
            report.error(path, "`" + path + "` must be a scenario, but is " + ActualValue.describe(scenario) + ".");
            return;
        }
        TestReader reader = new TestReader(files, programs, report);
        List<Written> data = new TestReader(files, programs, report)
                .read(scenario.path("config"), DocumentPath.field(path, "config"));
        List<Written> tests =
                new TestReader(files, programs, report).read(scenario.path("tests"), DocumentPath.field(path, "tests"));
        if (tests.isEmpty()) {
            tests = List.of(new Written(JsonNodeFactory.instance.objectNode(), path));
        }
        data.forEach(one -> TestMerge.report(one, report));
        tests.forEach(one -> TestMerge.report(one, report));
        for (Written one : data) {
            for (Written test : tests) {
                merged.add(TestMerge.of(List.of(defaults, one, test), reader));
            }
        }
    }

    private Written defaultTest(JsonNode written) {
        JsonNode test = written;
        if (written.isTextual()) {
            try {
                String name = written.textValue();
                test = DocumentText.parse(files.text(name.startsWith(FILE) ? name.substring(FILE.length()) : name));
            } catch (AssayException e) {
                report.error("defaultTest", e.failure().message());
            }
        }
        if (!(test instanceof ObjectNode) && !test.isMissingNode() && !test.isNull() && !written.isTextual()) {
            report.error("defaultTest", "`defaultTest` must be a test or a file.");
        }
        return new Written(
                test instanceof ObjectNode object ? object : JsonNodeFactory.instance.objectNode(), "defaultTest");
    }

    private void putOptions(JsonNode options, JsonNode commandLine, ObjectNode campaign) {
        JsonNode repeat = first(options.path("repeat"), commandLine.path("repeat"));
        if (!repeat.isMissingNode()) {
            campaign.set("trials", repeat);
        }
        ObjectNode limits = campaign.putObject("limits");
        JsonNode concurrent = first(options.path("maxConcurrency"), commandLine.path("maxConcurrency"));
        limits.set(
                "maxConcurrent",
                concurrent.isMissingNode() ? JsonNodeFactory.instance.numberNode(CONCURRENCY) : concurrent);
        JsonNode timeout = options.path("timeoutMs");
        if (timeout.isNumber()
                && JsonNumbers.isReadable(timeout)
                && timeout.decimalValue().signum() > 0) {
            limits.set("timeoutSeconds", JsonNumbers.node(timeout.decimalValue().multiply(BigDecimal.valueOf(1, 3))));
        }
        Set<String> known = Set.of("repeat", "maxConcurrency", "timeoutMs");
        options.fieldNames().forEachRemaining(name -> {
            if (!known.contains(name)) {
                report.note(DocumentPath.field("evaluateOptions", name), "Left out: it changes no verdict.");
            }
        });
        commandLine.fieldNames().forEachRemaining(name -> {
            if (!known.contains(name)) {
                report.note(
                        DocumentPath.field("commandLineOptions", name),
                        "Left out: options are given on the command line.");
            }
        });
    }

    private static JsonNode first(JsonNode one, JsonNode other) {
        return one.isMissingNode() || one.isNull() ? other : one;
    }
}
