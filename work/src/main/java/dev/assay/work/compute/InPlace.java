package dev.assay.work.compute;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.json.Json;
import java.util.ArrayList;
import java.util.List;

/** The calling thread as a place for tasks. */
final class InPlace implements Computing {

    @Override
    public <R> List<Computed<R>> run(String queue, Task<R> task) {
        return runToEnd(queue, task);
    }

    @Override
    public <R> List<Computed<R>> runToEnd(String queue, Task<R> task) {
        List<Computed<R>> all = new ArrayList<>();
        try {
            Performer performer = task.kind().maker().of(Json.mapper().valueToTree(task.input()));
            for (NamedDefinition definition : task.definitions()) {
                all.add(one(task, performer, definition));
            }
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("The input of a task cannot be read", e);
        }
        return all;
    }

    private static <R> Computed<R> one(Task<R> task, Performer performer, NamedDefinition definition)
            throws JsonProcessingException {
        try {
            JsonNode said = Json.mapper().valueToTree(performer.perform(new SentDefinition(definition.text())));
            return new Computed.Done<>(task.answer(said));
        } catch (StackOverflowError e) {
            return new Computed.Stopped<>(new Stop.Failed(e.getClass().getSimpleName()));
        }
    }

    @Override
    public boolean isDown() {
        return false;
    }
}
