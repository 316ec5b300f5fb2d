package dev.assay.domain.campaignfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.campaign.CancelPolicy;
import dev.assay.domain.document.DocumentText;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.message.Message;
import dev.assay.domain.provider.WorkerCapabilities;
import dev.assay.domain.selection.Strategy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EvaluationReaderTest {

    private static final WorkerCapabilities OFFER = new WorkerCapabilities(Map.of(), null, Set.of());

    private static final String TWO = "kind: scripted, script: {answers: [yes]}";

    private static EvaluationSubmission read(String yaml) {
        return EvaluationReader.read(DocumentText.parse(yaml), OFFER);
    }

    private static List<FieldError> errors(Runnable reading) {
        return catchThrowableOfType(AssayException.class, reading::run).errors();
    }

    private static EvaluationReader.Earlier earlier(String yaml, int selected) {
        return new EvaluationReader.Earlier(
                read(yaml).campaign().definition(),
                selected,
                List.of(Message.user("Why?"), Message.assistant("So.")),
                CancelPolicy.DISCARD);
    }

    @Test
    void shouldMakeUpIdsWhenBranchesHaveNone() {
        CampaignSubmission campaign = read("""
            prompts: [Why?]
            branches:
              - {id: mine, %1$s}
              - {%1$s}
              - {%1$s}
            """.formatted(TWO)).campaign();

        assertThat(campaign.definition().branches())
                .extracting(Branch::id)
                .containsExactly("mine", "scripted.scripted", "scripted.scripted-2");
        assertThat(campaign.definition().branches())
                .as("how loops are named")
                .extracting(Branch::segment)
                .containsExactly("mine", "scripted.scripted", "scripted.scripted");
        assertThat(CampaignReader.readStored(campaign.document())).isEqualTo(campaign.definition());
    }

    @Test
    void shouldGiveTheSystemPromptToBranchesThatHaveNone() {
        List<Branch> branches = read("""
            prompts: [Why?]
            systemPrompt: Be brief.
            branches: [{id: a, %1$s}, {id: b, systemPrompt: Be long., %1$s}]
            """.formatted(TWO)).campaign().definition().branches();

        assertThat(branches).extracting(Branch::systemPrompt).containsExactly("Be brief.", "Be long.");
    }

    @Test
    void shouldRunAllBranchesAtOnceWhenNobodyLimitsThem() {
        String branches = ("- {%s}\n".formatted(TWO)).repeat(30).indent(2);

        assertThat(read("prompts: [Why?]\nbranches:\n" + branches)
                        .campaign()
                        .definition()
                        .limits()
                        .maxConcurrent())
                .isEqualTo(30);
        assertThat(read("prompts: [Why?]\nlimits: {maxConcurrent: 3}\nbranches:\n" + branches)
                        .campaign()
                        .definition()
                        .limits()
                        .maxConcurrent())
                .isEqualTo(3);
    }

    @Test
    void shouldNameTheFieldWhenThereIsNothingToAnswer() {
        String branches = "\nbranches: [{%s}]".formatted(TWO);

        assertThat(errors(() -> read("name: x" + branches)))
                .extracting(FieldError::path)
                .containsExactly("prompts");
        assertThat(errors(() -> read("context: [{role: assistant, content: Hi}]" + branches)))
                .extracting(FieldError::path)
                .containsExactly("context");
        assertThat(read("context: [{role: user, content: Hi}]" + branches)
                        .campaign()
                        .suite()
                        .cases()
                        .getFirst()
                        .prompts())
                .isEmpty();
    }

    @Test
    void shouldGoOnAsBeforeWhenAContinuationSaysNoMore() {
        EvaluationReader.Earlier earlier = earlier("""
            prompts: [Why?]
            branches: [{id: a, %1$s}, {id: b, %1$s}]
            strategy: {type: token-efficient}
            limits: {timeoutSeconds: 7}
            """.formatted(TWO), 1);

        EvaluationSubmission next =
                EvaluationReader.continuation(DocumentText.parse("prompts: [And?]"), earlier, OFFER);

        CampaignDefinition definition = next.campaign().definition();
        assertThat(definition.branches()).extracting(Branch::id).containsExactly("b");
        assertThat(definition.strategy()).isEqualTo(new Strategy.TokenEfficient());
        assertThat(definition.limits().timeout()).hasSeconds(7);
        assertThat(next.onCancel()).isEqualTo(CancelPolicy.DISCARD);
        assertThat(next.campaign().suite().cases().getFirst().context()).isEqualTo(earlier.selectedContext());
    }

    @Test
    void shouldNeedPromptsWhenTheSelectedContextEndsOnTheAssistant() {
        EvaluationReader.Earlier earlier = earlier("prompts: [Why?]\nbranches: [{%s}]".formatted(TWO), 0);

        assertThat(errors(() -> EvaluationReader.continuation(DocumentText.parse("{}"), earlier, OFFER)))
                .extracting(FieldError::path)
                .containsExactly("prompts");
    }
}
