package dev.assay.activities.provider;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;

/**
 * Measures what a call costs, by hand: calls a second and processor time of the client alone.
 *
 * <p>Arguments: {@code serve DELAY_MS} prints its URL and serves; {@code ask URL CONCURRENT SECONDS} asks it. Two
 * processes, so that the server's time is not counted as the client's.
 */
final class ProviderThroughput {

    private ProviderThroughput() {}

    public static void main(String[] arguments) throws Exception {
        ((ch.qos.logback.classic.Logger) org.slf4j.LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME))
                .setLevel(ch.qos.logback.classic.Level.WARN);
        if (arguments[0].equals("serve")) {
            serve(Long.parseLong(arguments[1]));
        } else {
            for (String provider : new String[] {"openai", "anthropic", "openai"}) {
                ask(provider, arguments[1], Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]));
            }
        }
    }

    private static void serve(long delayMillis) throws Exception {
        StubProvider stub = new StubProvider(exchange -> {
            Thread.sleep(delayMillis);
            boolean anthropic = exchange.getRequestURI().getPath().endsWith("/messages");
            StubProvider.answer(exchange, 200, anthropic ? Requests.ANTHROPIC_ANSWER : Requests.OPENAI_ANSWER);
        });
        System.out.println(stub.url());
        while (true) {
            Thread.sleep(5_000);
            System.err.printf("%d requests over %d connections%n", stub.asked().size(), stub.connections());
        }
    }

    private static void ask(String provider, String url, int concurrent, int seconds) throws Exception {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        LongAdder calls = new LongAdder();
        try (ProviderCatalog catalog = ProviderCatalog.load(
                        null,
                        Map.of(
                                "OPENAI_API_KEY",
                                "k",
                                "OPENAI_BASE_URL",
                                url + "/v1",
                                "ANTHROPIC_API_KEY",
                                "k",
                                "ANTHROPIC_BASE_URL",
                                url));
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            long end = System.nanoTime() + seconds * 1_000_000_000L;
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < concurrent; i++) {
                running.add(callers.submit(() -> {
                    while (System.nanoTime() < end) {
                        Requests.to(provider).ask(catalog);
                        calls.increment();
                    }
                    return null;
                }));
            }
            Thread.sleep(seconds * 500L);
            long callsBefore = calls.sum();
            long cpuBefore = system.getProcessCpuTime();
            long timeBefore = System.nanoTime();
            Thread.sleep(seconds * 400L);
            double elapsed = (System.nanoTime() - timeBefore) / 1e9;
            double cpu = (system.getProcessCpuTime() - cpuBefore) / 1e9;
            long counted = calls.sum() - callsBefore;
            System.out.printf(
                    "%s: %.0f calls/s, %.0f us of processor per call, %.2f cores%n",
                    provider, counted / elapsed, cpu * 1e6 / counted, cpu / elapsed);
            for (Future<?> future : running) {
                future.get();
            }
        }
    }
}
