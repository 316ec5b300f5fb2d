package dev.assay.activities.command;

import dev.assay.activities.isolation.ProgramIsolation;
import dev.assay.work.secret.SecretVariables;
import java.nio.file.Path;
import java.util.Map;

/** Live programs of tests that store nothing. */
public final class LiveRoom implements AutoCloseable {

    private final AgentRoom room;
    private final LivePrograms programs;

    /** @param environment of the worker */
    public LiveRoom(Path base, ProgramIsolation isolation, Map<String, String> environment) {
        this.room = new AgentRoom(base, isolation);
        this.programs = new LivePrograms(room, isolation, null, SecretVariables.of(environment));
    }

    public LivePrograms programs() {
        return programs;
    }

    @Override
    public void close() {
        room.close();
    }
}
