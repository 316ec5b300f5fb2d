package dev.assay.activities.code;

import dev.assay.activities.command.CodePermission;
import dev.assay.activities.command.FoundInterpreters;
import dev.assay.activities.command.LiveRoom;
import dev.assay.activities.isolation.ProgramIsolation;
import dev.assay.domain.tool.CodeAllowance;
import dev.assay.domain.tool.ToolPolicy;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Processes for own code, without a store. */
final class CodeRoom implements AutoCloseable {

    final CodeProcesses processes;
    final Set<String> used = ConcurrentHashMap.newKeySet();
    private final LiveRoom room;

    CodeRoom(Path base, Map<String, String> environment, CodeAllowance allowed) {
        room = new LiveRoom(base, ProgramIsolation.none(), environment);
        ToolPolicy policy = new ToolPolicy(List.of(), List.of(), List.of(), null, allowed);
        processes = new CodeProcesses(
                room.programs(),
                new CodePermission(policy, null, ProgramIsolation.none(), FoundInterpreters.here()),
                (campaignId, interpreter) ->
                        used.add(campaignId + " " + interpreter.language() + " " + interpreter.version()));
    }

    @Override
    public void close() {
        processes.close();
        room.close();
    }
}
