package dev.assay.work.compute.pool;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The size and the limits of a pool.
 *
 * @param processes that compute at once, at least 1; one more is kept warm
 * @param heapMb heap of a process in MB
 * @param cpu time of a processor that one definition may take at most
 * @param wall time of the clock that one definition may take, a frozen process included
 * @param idle time without a task after which all processes but one end
 * @param options of the JVM, behind its own; for tests
 */
public record ComputeSettings(
        int processes, int heapMb, Duration cpu, Duration wall, Duration idle, List<String> options) {

    /** The variable that names how many processes compute at once. */
    public static final String PROCESSES = "ASSAY_COMPUTE_PROCESSES";

    /** The variable that names the heap of a process in MB. */
    public static final String HEAP = "ASSAY_COMPUTE_HEAP";

    private static final int MAX_PROCESSES = 64;
    private static final int LEAST_HEAP = 64;
    private static final int MOST_HEAP = 4096;
    private static final int DEFAULT_HEAP = 256;

    /** What a process takes beside its heap: its code, its stacks, the JVM. */
    private static final int BESIDE_HEAP = 74;

    private static final Duration CPU = Duration.ofSeconds(5);
    private static final Duration MINUTE = Duration.ofSeconds(60);

    public ComputeSettings {
        options = List.copyOf(options);
    }

    /**
     * The settings of this machine and of its operator.
     *
     * @throws IllegalArgumentException when a variable has no number in its bounds
     */
    public static ComputeSettings of(Map<String, String> environment) {
        int heap = number(environment, HEAP, LEAST_HEAP, MOST_HEAP, DEFAULT_HEAP);
        int processes = number(environment, PROCESSES, 1, MAX_PROCESSES, processes(heap, memory()));
        return new ComputeSettings(processes, heap, CPU, MINUTE, MINUTE, List.of());
    }

    private static long memory() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
    }

    /** One for each processor, at least two, as far as they fit into a quarter of the memory. */
    static int processes(int heapMb, long memory) {
        long fit = (memory >> 20) / 4 / (heapMb + BESIDE_HEAP);
        int wanted = Math.max(2, Runtime.getRuntime().availableProcessors());
        return (int) Math.max(1, Math.min(Math.min(wanted, MAX_PROCESSES), fit));
    }

    private static int number(Map<String, String> environment, String name, int least, int most, int otherwise) {
        String value = environment.getOrDefault(name, "");
        if (value.isBlank()) {
            return otherwise;
        }
        if (!value.strip().matches("\\d{1,9}")
                || Integer.parseInt(value.strip()) < least
                || Integer.parseInt(value.strip()) > most) {
            throw new IllegalArgumentException(
                    "%s must be a number from %d to %d, but is %s".formatted(name, least, most, value));
        }
        return Integer.parseInt(value.strip());
    }
}
