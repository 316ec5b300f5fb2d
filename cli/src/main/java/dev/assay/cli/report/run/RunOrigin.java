package dev.assay.cli.report.run;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The request of a run, as FastSkill's {@code summary.json} says it.
 *
 * @param agent what {@code --agent} named; null: nothing, or several
 * @param model what {@code --model} named; null: nothing
 * @param checksPath the file of checks; null: none
 * @param skillProjectRoot the workspace; null: none
 * @param leftOutReducers names of the file's reducers that {@code --trials} left without enough trials
 */
public record RunOrigin(
        @Nullable String agent,
        @Nullable String model,
        @Nullable String checksPath,
        @Nullable String skillProjectRoot,
        List<String> leftOutReducers) {

    /** Nothing of FastSkill was named. */
    public static final RunOrigin NONE = new RunOrigin(null, null, null, null);

    public RunOrigin {
        leftOutReducers = List.copyOf(leftOutReducers);
    }

    /** A run of which every reducer has trials enough. */
    public RunOrigin(
            @Nullable String agent,
            @Nullable String model,
            @Nullable String checksPath,
            @Nullable String skillProjectRoot) {
        this(agent, model, checksPath, skillProjectRoot, List.of());
    }

    /** The same, without some reducers. */
    public RunOrigin without(List<String> reducers) {
        return new RunOrigin(agent, model, checksPath, skillProjectRoot, reducers);
    }
}
