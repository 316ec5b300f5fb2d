package dev.assay.cli.architecture;

import io.temporal.workflow.Workflow;
import java.io.StringReader;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/** Classes that must not stand among the workflows, one for each offence against replay. */
final class NonDeterminism {

    private NonDeterminism() {}

    static Stream<Class<?>> offenders() {
        return Stream.of(
                Clock.class, Chance.class, Lock.class, Unordered.class, CopiedSet.class, TimedWait.class, Files.class);
    }

    static final class Clock {
        Instant offend() {
            return Instant.now();
        }
    }

    static final class Chance {
        int offend() {
            return new Random().nextInt();
        }
    }

    static final class Lock {
        Object offend() {
            return new ReentrantLock();
        }
    }

    static final class Unordered {
        Object offend() {
            return new HashMap<String, String>();
        }
    }

    static final class CopiedSet {
        Object offend(List<String> values) {
            return Set.copyOf(values);
        }
    }

    static final class TimedWait {
        boolean offend() {
            return Workflow.await(Duration.ofSeconds(1), () -> true);
        }
    }

    static final class Files {
        Object offend() {
            return new StringReader("");
        }
    }
}
