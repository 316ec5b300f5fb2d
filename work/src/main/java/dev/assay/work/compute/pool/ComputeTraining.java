package dev.assay.work.compute.pool;

import dev.assay.work.compute.NamedDefinition;
import dev.assay.work.compute.Task;
import dev.assay.work.compute.process.ComputeProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The command that records which classes a compute process needs, so that later ones find them loaded. Only speed depends on it. */
public final class ComputeTraining {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private ComputeTraining() {}

    /** Runs the command. */
    public static void main(String[] arguments) throws Exception {
        List<Path> classPath = ComputeCommand.classPath();
        ComputeSettings settings = new ComputeSettings(
                1,
                256,
                PATIENCE,
                PATIENCE,
                PATIENCE,
                List.of("-XX:AOTCacheOutput=" + arguments[0], "-D" + ComputeProcess.TRAINING + "=true"));
        Path directory = Files.createTempDirectory("assay-compute-");
        ComputeChild child = ComputeChild.start(ComputeCommand.of(settings, classPath), directory);
        child.greet();
        for (Task<?> task : TrainingTasks.all()) {
            List<NamedDefinition> definitions = task.definitions();
            child.send(task.kind().name(), definitions, task.input(), false);
            for (int i = 0; i < definitions.size(); i++) {
                child.reply();
            }
        }
        child.finish(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        Files.delete(directory);
    }
}
