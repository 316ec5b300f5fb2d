package dev.assay.work.compute.pool;

import com.fasterxml.jackson.databind.node.IntNode;
import dev.assay.work.compute.FillTask;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;

/** A process with compute processes, one of which computes for long. It prints their ids, and waits for its death. */
final class ParentProbe {

    private ParentProbe() {}

    public static void main(String[] arguments) throws Exception {
        Duration minute = Duration.ofMinutes(1);
        ComputePool pool = new ComputePool(new ComputeSettings(1, 256, minute, minute, minute, List.of()));
        var _ = pool.run("campaign", new FillTask(List.of("{{ n|abs }}"), Map.of("n", new IntNode(1)), false));
        Thread.ofPlatform().start(() -> {
            var _ = pool.runToEnd(
                    "campaign", new FillTask(List.of("{{ n|round(30000000) }}"), Map.of("n", new IntNode(1)), false));
        });
        Awaitility.await().until(() -> pool.processes().size() == 2);
        System.out.println(pool.processes());
        new CountDownLatch(1).await();
    }
}
