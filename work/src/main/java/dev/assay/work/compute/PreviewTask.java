package dev.assay.work.compute;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.judge.JudgePreview;
import dev.assay.domain.judge.JudgePreviewReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The preview of what a judge would read. */
public record PreviewTask(JsonNode document) implements Task<PreviewTask.Previewed> {

    /**
     * The preview, or what is wrong with the document.
     *
     * @param preview null: something is wrong
     * @param problem a sentence; null: nothing is wrong
     * @param moreErrors how many there are beside {@code errors}, at least 0
     */
    public record Previewed(
            @Nullable JudgePreview preview, @Nullable String problem, List<FieldError> errors, int moreErrors) {

        public Previewed {
            if ((preview == null) == (problem == null) || moreErrors < 0) {
                throw new IllegalArgumentException("There is either a preview or a problem");
            }
            errors = List.copyOf(errors);
        }
    }

    @Override
    public TaskKind kind() {
        return TaskKind.PREVIEW;
    }

    @Override
    public List<NamedDefinition> definitions() {
        return List.of(NamedDefinition.of("preview"));
    }

    @Override
    public JsonNode input() {
        return document;
    }

    @Override
    public Previewed answer(JsonNode said) throws JsonProcessingException {
        return Strict.read(said, Previewed.class);
    }

    static Performer performer(JsonNode document) {
        return _ -> {
            try {
                return new Previewed(JudgePreview.of(JudgePreviewReader.read(document)), null, List.of(), 0);
            } catch (AssayException e) {
                return new Previewed(null, e.failure().message(), e.errors(), e.moreErrors());
            }
        };
    }
}
