package dev.assay.standalone.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.standalone.testing.JavaProcess;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DataLockTest {

    private static final DataHolder UP =
            new DataHolder("assay up", ProcessHandle.current().pid(), Instant.parse("2026-01-01T12:00:00Z"), true);

    @TempDir
    Path temporary;

    /** A process that wants the directory; it ends with 1 when it gets it. */
    static final class Other {

        private Other() {}

        public static void main(String[] arguments) {
            System.exit(
                    DataLock.tryLock(DataDirectory.open(Path.of(arguments[0])), UP)
                                    .isPresent()
                            ? 1
                            : 0);
        }
    }

    private boolean isHeldForOthers() throws Exception {
        return JavaProcess.of(Other.class, temporary.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }

    /** To open and close the file of a lock that this process holds would give it up. */
    @Test
    void shouldKeepTheDirectoryFromOthersWhenItsOwnProcessAsksForItAgain() throws Exception {
        DataDirectory directory = DataDirectory.open(temporary);
        try (DataLock held = DataLock.tryLock(directory, UP).orElseThrow()) {
            assertThat(held).isNotNull();
            assertThat(DataLock.tryLock(directory, UP)).isEmpty();
            assertThat(DataLock.holder(directory)).contains(UP);

            assertThat(isHeldForOthers()).isTrue();
        }
        assertThat(isHeldForOthers()).isFalse();
    }
}
