package dev.assay.domain.inspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.campaignfile.CampaignReader;
import dev.assay.domain.campaignfile.CampaignSubmission;
import dev.assay.domain.check.TargetCheck;
import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckResult.Status;
import dev.assay.domain.document.DocumentText;
import dev.assay.domain.document.YamlText;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.imports.CsvRows;
import dev.assay.domain.imports.Imported;
import dev.assay.domain.message.Message;
import dev.assay.domain.suite.Case;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class InspectDatasetTest {

    private static final List<InspectBranch> ECHO = List.of(new InspectBranch("echo"));

    private static Imported imported(String yaml, @Nullable TargetCheck check) {
        List<JsonNode> samples = new ArrayList<>();
        DocumentText.parse(yaml).forEach(samples::add);
        return InspectDataset.read(samples, "samples", ECHO, check);
    }

    private static List<Case> cases(Imported imported) {
        imported.report().throwIfAny("file", false);
        CampaignSubmission read = CampaignReader.readForServer(imported.document());
        CampaignSubmission again =
                CampaignReader.readForServer(DocumentText.parse(YamlText.write(imported.document())));
        assertThat(again.suite()).isEqualTo(read.suite());
        return read.suite().cases();
    }

    private static boolean passes(Case one, String answer) {
        return one.checks().all().stream()
                .allMatch(check -> check.evaluate(CheckInput.of(answer)).status() == Status.PASSED);
    }

    @Test
    void shouldReadSamplesOfEachForm() {
        List<Case> cases = cases(imported("""
            - {input: 'Capital of France?', target: Paris, metadata: {level: 1, tags: [a, b]}, source: atlas}
            - {id: HumanEval/0, input: [{role: user, content: Hi}, {role: assistant, content: Yes?}, {role: user, content: Why?}], ideal: [x, Y]}
            - {id: 7, input: Anything}
            """, null));

        assertThat(cases.stream().map(Case::id)).containsExactly("1", "HumanEval-0", "7");
        assertThat(cases.getFirst().metadata())
                .containsEntry("level", "1")
                .containsEntry("tags", "[\"a\",\"b\"]")
                .containsEntry("source", "atlas");
        assertThat(cases.get(1).metadata()).containsEntry("id", "HumanEval/0");
        assertThat(cases.get(1).prompts())
                .containsExactly(Message.user("Hi"), Message.assistant("Yes?"), Message.user("Why?"));
        assertThat(passes(cases.getFirst(), "it is PARIS")).isTrue();
        assertThat(passes(cases.getFirst(), "Rome")).isFalse();
        assertThat(passes(cases.get(1), "only y")).as("any target is enough").isTrue();
        assertThat(cases.get(2).checks().all()).isEmpty();
    }

    @Test
    void shouldCompareToTargetsAsAsked() {
        for (TargetCheck check : TargetCheck.values()) {
            Case one =
                    cases(imported("[{input: q, target: [abc, 'a.c']}]", check)).getFirst();
            assertThat(passes(one, "abc")).as(check.word()).isTrue();
            assertThat(passes(one, "nothing")).as(check.word()).isFalse();
        }
        Case equal = cases(imported("[{input: q, target: [abc, d]}]", TargetCheck.EQUALS))
                .getFirst();
        assertThat(passes(equal, " d\n")).isTrue();
        assertThat(passes(equal, "dd")).isFalse();
    }

    @Test
    void shouldAskForLettersOfChoices() {
        Case one = cases(imported("[{input: Which?, choices: [red, blue], target: B}]", null))
                .getFirst();

        assertThat(one.prompts().getFirst().text()).contains("one of A,B", "Which?", "A) red\nB) blue");
        assertThat(passes(one, "I think so.\nANSWER: B")).isTrue();
        assertThat(passes(one, "ANSWER: A")).isFalse();
        assertThat(passes(one, "Bananas")).isFalse();
    }

    @Test
    void shouldReadRowsOfCsv() {
        Imported imported = InspectDataset.read(
                CsvRows.read("\uFEFFinput,target,id,choices,topic\n\"a, b?\",A,x,,t\nc,\"two\nlines\",,\"p, q\",\n"),
                "samples",
                ECHO,
                null);

        assertThat(cases(imported).stream().map(Case::id)).containsExactly("x", "2");
        assertThat(cases(imported).get(1).prompts().getFirst().text()).contains("A) p\nB) q");
    }

    @Test
    void shouldNameWhatIsWrongOrHasNoCounterpart() {
        Imported imported = imported(
                "[3, {target: x}, {input: [{role: system, content: x}, {role: user, content: [{type: image}]}]},"
                        + " {input: a, target: {}, sandbox: docker}]",
                null);

        assertThatThrownBy(() -> imported.report().throwIfAny("file", false))
                .isInstanceOfSatisfying(
                        AssayException.class,
                        e -> assertThat(e.errors().stream().map(FieldError::path))
                                .containsExactlyInAnyOrder(
                                        "[0]",
                                        "[1].input",
                                        "[3].target",
                                        "[2].input[0].role",
                                        "[2].input[1].content",
                                        "[3].sandbox"));
        assertThatThrownBy(() -> new InspectBranch("openai")).hasMessageContaining("PROVIDER/MODEL");
        assertThatThrownBy(() -> CsvRows.read("a,a\n1,2\n")).hasMessageContaining("twice");
        assertThatThrownBy(() -> CsvRows.read("a\n\"x\n")).isInstanceOf(AssayException.class);
    }
}
