package dev.assay.work.compute.pool;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.assay.domain.check.Check;
import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.structure.JsonRule;
import dev.assay.domain.check.text.RegexRule;
import dev.assay.domain.json.Json;
import dev.assay.work.compute.CheckTask;
import dev.assay.work.compute.FillTask;
import dev.assay.work.compute.Task;
import dev.assay.work.compute.process.ComputeProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The command that records which classes a compute process needs, so that later ones find them loaded. Only speed depends on it. */
public final class ComputeTraining {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private ComputeTraining() {}

    /**
     * Runs the command.
     *
     * @param arguments the file to write
     */
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
        for (Task<?> task : tasks()) {
            List<String> texts = task.definitions();
            child.send(task.kind().name(), texts, texts, task.input(), false);
            for (int i = 0; i < texts.size(); i++) {
                child.receive();
            }
        }
        child.finish(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        Files.delete(directory);
    }

    private static List<Task<?>> tasks() {
        List<Check> checks = List.of(
                new Check(new RegexRule("P.ris|(a+)b"), true),
                new Check(new JsonRule(Json.tree("{\"type\": \"object\", \"required\": [\"a\"]}")), true));
        FillTask fill = new FillTask(
                List.of("{% for x in [1, 2] %}{{ x }}{% endfor %}{{ city|upper }}"),
                Map.of("city", TextNode.valueOf("Paris")),
                false);
        return List.of(new CheckTask(checks, CheckInput.of("{\"a\": 1}")), fill);
    }
}
