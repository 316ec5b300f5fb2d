package dev.assay.domain.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.domain.campaignfile.CampaignReader;
import dev.assay.domain.campaignfile.CampaignSubmission;
import dev.assay.domain.document.DocumentText;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.judge.Transcript;
import dev.assay.domain.message.Message;
import dev.assay.domain.suite.Case;
import org.junit.jupiter.api.Test;

class TemplateTest {

    private static CampaignSubmission read(String branch, String suiteCase) {
        return CampaignReader.readForServer(DocumentText.parse("{name: x, cases: [" + suiteCase
                + "], branches: [{id: a, kind: scripted, script: {echo: true}, " + branch + "}]}"));
    }

    private static Case asked(String branch, String suiteCase) {
        CampaignSubmission read = read(branch, suiteCase);
        return read.definition()
                .branches()
                .getFirst()
                .ask(read.suite().cases().getFirst())
                .suiteCase();
    }

    @Test
    void shouldAskTheFilledTemplateInPlaceOfThePrompt() {
        assertThat(asked("template: 'Capital of {{ country }}?'", "{id: c, vars: {country: France}}")
                        .prompts())
                .containsExactly(Message.user("Capital of France?"));
        assertThat(asked("template: 'Be brief. {{ prompt }}'", "{id: c, prompt: Why?}")
                        .prompts())
                .containsExactly(Message.user("Be brief. Why?"));
        assertThat(asked("systemPrompt: S", "{id: c, prompt: 'As {{ is }}', vars: {is: x}}")
                        .prompts())
                .as("without a template a prompt is said as it is written")
                .containsExactly(Message.user("As {{ is }}"));
    }

    @Test
    void shouldFillMessagesWithASystemPromptOfTheirOwn() {
        CampaignSubmission read = read(
                "systemPrompt: S, template: [{role: system, content: 'Speak {{ l }}'}, {role: user, content: Hi},"
                        + " {role: assistant, content: Yes?}, {role: user, content: '{{ q }}'}]",
                "{id: c, vars: {l: Dutch, q: Why?}}");

        var asked =
                read.definition().branches().getFirst().ask(read.suite().cases().getFirst());

        assertThat(asked.branch().systemPrompt()).isEqualTo("Speak Dutch");
        assertThat(asked.suiteCase().prompts())
                .containsExactly(Message.user("Hi"), Message.assistant("Yes?"), Message.user("Why?"));
        assertThat(CampaignReader.readStored(read.document())).isEqualTo(read.definition());
    }

    @Test
    void shouldShowJudgesTheVarsOfACaseThatHasNothingElse() {
        CampaignSubmission read = read("template: '{{ q }}'", "{id: c, vars: {q: Why?, n: 2}}");

        assertThat(Transcript.of(read.suite().cases().getFirst()).query()).isEqualTo("q: Why?\nn: 2");
    }

    @Test
    void shouldNameEachFieldThatIsWrong() {
        assertErrors("template: '{% if x %}'", "{id: c, prompt: p}", "branches[0].template");
        assertErrors("template: 3", "{id: c, prompt: p}", "branches[0].template");
        assertErrors("template: []", "{id: c, prompt: p}", "branches[0].template");
        assertErrors("template: [{role: assistant, content: a}]", "{id: c, prompt: p}", "branches[0].template");
        assertErrors(
                "template: [{role: user, content: a}, {role: system, content: b}, {role: user, content: c}]",
                "{id: c, prompt: p}",
                "branches[0].template[1]");
        assertErrors(
                "template: [{role: robot, content: '{% x %}'}]",
                "{id: c, prompt: p}", "branches[0].template[0].role", "branches[0].template[0].content");
        assertErrors("systemPrompt: s", "{id: c, vars: {q: 1}}", "branches[0].template");
        assertErrors("template: a", "{id: c, vars: [1]}", "cases[0].vars");
        assertErrors("systemPrompt: s", "{id: c, vars: {}}", "branches[0].template");
        assertErrors("template: a", "{id: c}", "cases[0].prompt");
    }

    private static void assertErrors(String branch, String suiteCase, String... paths) {
        assertThatThrownBy(() -> read(branch, suiteCase))
                .isInstanceOfSatisfying(
                        AssayException.class,
                        e -> assertThat(e.errors().stream().map(FieldError::path))
                                .containsExactlyInAnyOrder(paths));
    }
}
