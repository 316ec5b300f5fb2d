package dev.assay.standalone.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.standalone.testing.JavaProcess;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SystemBrowserTest {

    @TempDir
    Path directory;

    /** Opens an address in a process whose environment a test decides. */
    static final class Opening {

        private Opening() {}

        public static void main(String[] arguments) {
            if (!SystemBrowser.open(URI.create(arguments[0]))) {
                System.exit(1);
            }
        }
    }

    @Test
    void shouldShowTheBrowserItsDisplayAndNoKeys() throws Exception {
        Path opener = Files.writeString(directory.resolve("xdg-open"), """
            #!/bin/sh
            { echo "$1"; env; } >"$0.part" && mv "$0.part" "$0.seen"
            """);
        Files.setPosixFilePermissions(opener, PosixFilePermissions.fromString("rwx------"));
        Path seen = directory.resolve("xdg-open.seen");
        Map<String, String> environment = Map.of(
                "PATH",
                directory + ":" + System.getenv("PATH"),
                "DISPLAY",
                ":7",
                "DBUS_SESSION_BUS_ADDRESS",
                "unix:path=/nowhere",
                "LC_MESSAGES",
                "C",
                "OPENAI_API_KEY",
                "s3cret",
                "ASSAY_API_TOKEN",
                "s3cret-too");

        Process opening = JavaProcess.start(Opening.class, environment, "http://127.0.0.1:8080/ui/");

        assertThat(opening.waitFor()).isZero();
        await().atMost(Duration.ofSeconds(30)).until(() -> Files.exists(seen));
        assertThat(Files.readString(seen))
                .startsWith("http://127.0.0.1:8080/ui/\n")
                .contains("\nDISPLAY=:7\n", "DBUS_SESSION_BUS_ADDRESS=unix:path=/nowhere\n", "LC_MESSAGES=C\n")
                .doesNotContain("s3cret", "OPENAI_API_KEY", "ASSAY_API_TOKEN");
    }
}
