package dev.assay.activities.check;

import dev.assay.work.compute.Computed;
import dev.assay.work.compute.Computing;
import dev.assay.work.compute.Stop;
import dev.assay.work.compute.Task;
import dev.assay.work.compute.TaskKind;
import java.time.Duration;
import java.util.List;

/** Computing that stops each task of one kind as too late, and runs the others where it is called. */
public record StoppedComputing(TaskKind kind) implements Computing {

    @Override
    public <R> List<Computed<R>> run(String queue, Task<R> task) {
        return runToEnd(queue, task);
    }

    @Override
    public <R> List<Computed<R>> runToEnd(String queue, Task<R> task) {
        return task.kind() == kind
                ? task.definitions().stream()
                        .<Computed<R>>map(_ -> new Computed.Stopped<>(new Stop.Late(Duration.ofSeconds(5))))
                        .toList()
                : Computing.HERE.runToEnd(queue, task);
    }

    @Override
    public boolean isDown() {
        return false;
    }
}
