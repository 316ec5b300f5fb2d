package dev.assay.work.compute;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.agent.AgentHttp;
import dev.assay.domain.json.Json;
import dev.assay.domain.tool.SystemAnswer;
import dev.assay.domain.tool.ToolException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The search for the answer and its usage in what a system under test sent. */
public record AnswerTask(String body, AgentHttp.Answer places) implements Task<AnswerTask.Found> {

    /**
     * The answer, or why there is none.
     *
     * @param answer null: there is a problem
     * @param problem a sentence; null: there is an answer
     */
    public record Found(
            @Nullable SystemAnswer answer, @Nullable String problem) {

        public Found {
            if ((answer == null) == (problem == null)) {
                throw new IllegalArgumentException("There is either an answer or a problem");
            }
        }
    }

    @Override
    public TaskKind kind() {
        return TaskKind.ANSWER;
    }

    @Override
    public List<NamedDefinition> definitions() {
        return List.of(NamedDefinition.of(Json.write(places)));
    }

    @Override
    public String input() {
        return body;
    }

    @Override
    public Found answer(JsonNode said) throws JsonProcessingException {
        return Strict.read(said, Found.class);
    }

    static Performer performer(JsonNode input) {
        String body = input.textValue();
        return places -> {
            try {
                return new Found(
                        SystemAnswer.of(
                                body,
                                places.read(AgentHttp.Answer.class, text -> Json.read(text, AgentHttp.Answer.class))),
                        null);
            } catch (ToolException e) {
                return new Found(null, String.valueOf(e.getMessage()));
            }
        };
    }
}
