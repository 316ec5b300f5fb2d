package dev.assay.domain.trace;

import dev.assay.domain.json.Json;
import dev.assay.domain.usage.Reported;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The use of models by a program that asked them through the model proxy.
 *
 * @param turns its requests, as JSON Lines
 * @param reported what the program itself printed of its usage, which counts nowhere
 */
public record ModelUse(String turns, Reported reported) {

    /** The use in these requests. */
    public static ModelUse of(List<ModelTurn> turns, Reported reported) {
        return new ModelUse(
                turns.stream().map(turn -> Json.write(turn.payload())).collect(Collectors.joining("\n")), reported);
    }
}
