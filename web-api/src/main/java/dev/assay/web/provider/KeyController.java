package dev.assay.web.provider;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.provider.KeyChange;
import dev.assay.domain.provider.KeyState;
import dev.assay.store.outage.KeyDecisions;
import dev.assay.store.outage.KeyDecisions.KeyName;
import dev.assay.store.outage.KeyStates;
import dev.assay.web.access.Requester;
import dev.assay.web.document.RequestReader;
import dev.assay.web.problem.AnswersProblems;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Patch;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;

/** The keys of providers. */
@Controller("/api/v1/providers/{name}/keys/{key}")
@ExecuteOn(TaskExecutors.BLOCKING)
@AnswersProblems
@Tag(name = "providers")
final class KeyController {

    private final KeyStates states;
    private final KeyDecisions decisions;
    private final RequestReader reader;
    private final Requester requester;

    KeyController(KeyStates states, KeyDecisions decisions, RequestReader reader, Requester requester) {
        this.states = states;
        this.decisions = decisions;
        this.reader = reader;
        this.requester = requester;
    }

    /**
     * Drains or enables a key.
     *
     * @param name of a provider that a live worker reports
     * @param key its name
     * @param body what it is to be, and why
     * @return the key
     */
    @Patch(consumes = MediaType.APPLICATION_JSON)
    @Operation(
            summary = "Drain or enable a key of a provider",
            operationId = "changeKey",
            description =
                    "A draining key sends nothing new, on all workers within a second; its calls end. The last key"
                            + " that can be used is not drained. An enabled key that was refused is asked with again at"
                            + " once. Needs a token of scope admin.")
    KeyView change(
            @PathVariable String name,
            @PathVariable String key,
            HttpRequest<?> request,
            @Body
                    @RequestBody(
                            description = "The state, and the reason",
                            required = true,
                            content =
                                    @Content(
                                            mediaType = MediaType.APPLICATION_JSON,
                                            schema = @Schema(implementation = KeyBody.class),
                                            examples =
                                                    @ExampleObject(
                                                            name = "drain",
                                                            value = "{\"state\": \"draining\", \"reason\":"
                                                                    + " \"rotated\"}")))
                    byte[] body) {
        KeyChange change = KeyChange.read(reader.small(request, body));
        var _ = state(name, key);
        String who = requester.name(request);
        KeyName changed = new KeyName(name, key);
        if (change.isEnabled()) {
            decisions.enable(changed, change.reason(), who);
        } else if (!decisions.drain(changed, change.reason(), who)) {
            throw new AssayException(
                    ErrorCode.CONFLICT,
                    "Key " + key + " is the last of provider " + name
                            + " that can be used. Pause the campaigns instead, or enable another key first.");
        }
        return KeyView.of(state(name, key));
    }

    private KeyState state(String provider, String key) {
        List<KeyState> all = states.byProvider().getOrDefault(provider, List.of());
        return all.stream()
                .filter(state -> state.key().name().equals(key))
                .findFirst()
                .orElseThrow(() -> new AssayException(
                        ErrorCode.NOT_FOUND,
                        "No live worker reports a key " + key + " of a provider " + provider
                                + "; GET /api/v1/providers lists those that exist."));
    }
}
