package dev.assay.work.compute.pool;

import dev.assay.domain.check.Check;
import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.check.text.RegexRule;
import dev.assay.domain.json.Json;
import dev.assay.work.compute.CheckTask;
import dev.assay.work.compute.Computed;
import dev.assay.work.compute.FillTask;
import dev.assay.work.compute.Task;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Tasks of the tests of pools: their answers, and some that never end. */
final class PoolTasks {

    private PoolTasks() {}

    static ComputePool pool(int processes, Duration cpu, Duration wall, Duration idle) {
        return new ComputePool(new ComputeSettings(processes, 256, cpu, wall, idle, List.of()));
    }

    static FillTask fill(String template) {
        return new FillTask(List.of(template), Map.of("n", Json.tree("1"), "b", Json.tree("\"yyyy\"")), false);
    }

    /** Takes a processor until it is stopped. */
    static FillTask endless(int number) {
        return fill("{{ n|round(" + (30_000_000 + number) + ") }}");
    }

    static CheckTask checks(String answer, String... patterns) {
        return new CheckTask(
                List.of(patterns).stream()
                        .map(pattern -> new Check(new RegexRule(pattern), true))
                        .toList(),
                CheckInput.of(answer));
    }

    static <R> String said(Computed<R> computed) {
        return switch (computed) {
            case Computed.Done<R>(var answer) -> answer instanceof Finding found ? found.status() + "" : answer + "";
            case Computed.Stopped<R>(var stop) -> stop.deed();
        };
    }

    static <R> List<String> run(ComputePool in, Task<R> task) throws InterruptedException {
        return in.run("campaign", task).stream().map(PoolTasks::said).toList();
    }

    static CompletableFuture<List<String>> started(ComputePool in, FillTask task) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return run(in, task);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }
}
