package dev.assay.domain.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The example of docs/judging.md. */
class JudgingPageTest {

    private static final Pattern BLOCK = Pattern.compile("```(json|text)\\n(.*?)\\n```", Pattern.DOTALL);

    /** The request, what is cut, and the prompt. */
    private static List<String> blocks;

    @BeforeAll
    static void read() throws IOException {
        String page = Files.readString(Path.of("../docs/judging.md"));
        blocks = BLOCK.matcher(page)
                .results()
                .map((MatchResult block) -> block.group(2))
                .toList();
        assertThat(blocks).hasSize(3);
    }

    private static JudgePreview preview(int maxContextTokens) {
        JudgePreviewRequest request = JudgePreviewReader.read(Json.tree(blocks.getFirst()));
        return JudgePreview.of(
                request.conversation(),
                request.responses(),
                maxContextTokens,
                request.systemPrompt(),
                request.format());
    }

    @Test
    void shouldCutAndAskAsThePageSays() {
        JudgePreview preview = JudgePreview.of(JudgePreviewReader.read(Json.tree(blocks.getFirst())));

        assertThat(Json.tree(Json.write(preview.compaction()))).isEqualTo(Json.tree(blocks.get(1)));
        assertThat(preview.prompt()).isEqualTo(blocks.get(2));
        assertThat(preview.warning()).isNull();
    }

    @Test
    void shouldReadMoreThanItsBudgetWhereTheLastTierLeavesTooMuch() {
        JudgePreview preview = preview(20);

        assertThat(preview.compaction().budget()).isEqualTo(16);
        assertThat(preview.compaction().satisfied()).isFalse();
        assertThat(preview.warning()).contains("more than its budget of 16");
    }
}
