package dev.assay.store.suite;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.assay.domain.check.Check;
import dev.assay.domain.check.Checks;
import dev.assay.domain.check.code.CodeLanguage;
import dev.assay.domain.check.code.Script;
import dev.assay.domain.check.rule.CheckRole;
import dev.assay.domain.check.structure.JsonRule;
import dev.assay.domain.check.text.ContainsIgnoringCaseRule;
import dev.assay.domain.check.text.ContainsRule;
import dev.assay.domain.check.text.EqualsRule;
import dev.assay.domain.check.text.RegexRule;
import dev.assay.domain.json.Json;
import dev.assay.domain.message.Content;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import dev.assay.domain.replay.RequestKey;
import dev.assay.domain.suite.Case;
import dev.assay.domain.suite.Question;
import dev.assay.domain.suite.Suite;
import dev.assay.store.StoreFixture;
import dev.assay.store.StoreTest;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@StoreTest
final class CaseRepositoryTest {

    private static final JsonNode SCHEMA = Json.tree("{\"type\": \"object\", \"minProperties\": 1}");

    private final StoreFixture store;
    private final CaseRepository cases;

    CaseRepositoryTest(StoreFixture store, CaseRepository cases) {
        this.store = store;
        this.cases = cases;
    }

    @Test
    void shouldReadCasesBackAsTheyWereWhenSuiteIsStored() {
        Case full = new Case(
                "full",
                new Question(
                        List.of(Message.user("Ünïcode \"quotes\"\nand lines"), Message.user("and, {a second}")),
                        List.of(Message.user("Hello"), Message.assistant("Hi")),
                        Map.of("q", TextNode.valueOf("{{x}}"), "n", DecimalNode.valueOf(new BigDecimal("0.5")))),
                new Checks(
                        List.of(
                                new Check(new EqualsRule("a"), true),
                                new Check(new ContainsRule("b"), false),
                                new Check(new ContainsIgnoringCaseRule("c"), true),
                                new Check(
                                        new RegexRule("d+"),
                                        new CheckRole(true, new BigDecimal("2.5"), "m", true, null)),
                                new Check(new JsonRule(SCHEMA), true),
                                new Check(
                                        new JsonRule(null),
                                        CheckRole.REPORTED,
                                        new Script(CodeLanguage.JAVASCRIPT, "output.a", null, null))),
                        new BigDecimal("0.75"),
                        new Script(CodeLanguage.PYTHON, null, "below/own.py", "Class.method")),
                List.of("geo", "with, comma"),
                Map.of("owner", "me"),
                "sub/directory");
        Message shown = new Message(
                Role.USER,
                List.of(new Content.Text("What is it?"), new Content.Image("image/png", "iVBORw0KGgo=")),
                null);
        Case mixed = new Case(
                "mixed",
                List.of(Message.user("Look"), Message.assistant("At what?"), shown),
                List.of(),
                List.of(),
                List.of(),
                Map.of());
        Case bare = new Case("bare", List.of(), List.of(Message.user("Hello")), List.of(), List.of(), Map.of());

        String suiteId = cases.store(new Suite("round trip", List.of(full, bare, mixed)));

        assertThat(cases.find(suiteId, List.of(0, 1, 2))).isEqualTo(Map.of(0, full, 1, bare, 2, mixed));
        assertThat(cases.caseIds(suiteId)).containsExactly("full", "bare", "mixed");
        assertThat(store.count(
                        "SELECT count(*) FROM suite_case WHERE suite_id = ? AND prompts[3] IS NULL"
                                + " AND prompts[1] = 'Look' AND case_id = 'mixed'",
                        suiteId))
                .as("a build that knows only texts fails at the message")
                .isEqualTo(1);
    }

    @Test
    void shouldReadOnlyTheCasesThatWereAskedForWhenSuiteIsLarge() {
        Suite suite = new Suite(
                "large",
                IntStream.range(0, 2_500).mapToObj(CaseRepositoryTest::plain).toList());
        String suiteId = cases.store(suite);

        assertThat(cases.find(suiteId, List.of(2_499, 7, 9_999)))
                .containsOnlyKeys(7, 2_499)
                .extractingByKey(7)
                .extracting(Case::id)
                .isEqualTo("case-7");
        assertThat(cases.find(suiteId, List.of())).isEmpty();
        assertThat(cases.caseIds(suiteId)).hasSize(2_500).startsWith("case-0", "case-1");
    }

    @Test
    void shouldKeepOneSuiteWhenContentIsTheSame() {
        Suite suite = new Suite("same", List.of(plain(1)));

        assertThat(cases.store(suite)).isEqualTo(cases.store(new Suite("same", List.of(plain(1)))));
        assertThat(cases.store(new Suite("same", List.of(plain(2))))).isNotEqualTo(cases.store(suite));
        assertThat(store.count("SELECT count(*) FROM suite WHERE name = 'same'"))
                .isEqualTo(2);
    }

    @Test
    void shouldKeepTheHashOfASuiteWhenItsPromptsAreTexts() {
        String written = """
            {"name": "same", "cases": [{"id": "case-1", "prompts": ["Prompt 1"], "context": [], "checks": [], "tags": [],
             "metadata": {}}]}
            """;

        assertThat(cases.store(new Suite("same", List.of(plain(1)))))
                .isEqualTo(RequestKey.sha256(RequestKey.canonical(Json.tree(written))));
    }

    private static Case plain(int i) {
        return new Case("case-" + i, List.of(Message.user("Prompt " + i)), List.of(), List.of(), List.of(), Map.of());
    }
}
