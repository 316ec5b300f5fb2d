package dev.assay.activities.code;

import dev.assay.activities.command.CodePermission;
import dev.assay.activities.command.LiveRoom;
import dev.assay.activities.isolation.ProgramIsolation;
import dev.assay.domain.tool.CodeAllowance;
import dev.assay.domain.tool.ToolPolicy;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Processes for own code, without a store. */
final class CodeRoom implements AutoCloseable {

    final CodeProcesses processes;
    private final LiveRoom room;

    CodeRoom(Path base, Map<String, String> environment, CodeAllowance allowed) {
        room = new LiveRoom(base, ProgramIsolation.none(), environment);
        ToolPolicy policy = new ToolPolicy(List.of(), List.of(), List.of(), null, allowed);
        processes = new CodeProcesses(room.programs(), new CodePermission(policy, null, ProgramIsolation.none()));
    }

    @Override
    public void close() {
        processes.close();
        room.close();
    }
}
