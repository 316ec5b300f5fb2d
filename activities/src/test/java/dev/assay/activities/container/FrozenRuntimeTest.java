package dev.assay.activities.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.domain.isolation.AttemptLimits;
import dev.assay.domain.isolation.ContainerRules;
import dev.assay.domain.isolation.ContainerRuntime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A runtime whose daemon is frozen: its command never ends. */
@Timeout(60)
class FrozenRuntimeTest {

    private static final Duration PATIENCE = Duration.ofSeconds(1);

    @TempDir
    Path temporary;

    private Map<String, String> docker(String script) throws Exception {
        Path docker = Files.writeString(temporary.resolve("docker"), "#!/bin/sh\ndir=" + temporary + "\n" + script);
        Files.setPosixFilePermissions(docker, PosixFilePermissions.fromString("rwxr-xr-x"));
        return Map.of("PATH", temporary + ":/usr/bin:/bin");
    }

    private static Containers containers(Map<String, String> environment) throws Exception {
        return Containers.of(new ContainerRules("img", ContainerRuntime.DOCKER, false), environment, Set::of, PATIENCE);
    }

    @Test
    void shouldSayThatItDoesNotAnswerWhenItIsFrozenAtTheStart() {
        long before = System.nanoTime();

        assertThatThrownBy(() -> containers(docker("exec sleep 50\n"))).hasMessage("docker does not answer within 1 s");

        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(20));
    }

    @Test
    void shouldNotWaitForACommandThatPrintsWithoutEnd() {
        assertThatThrownBy(() -> containers(docker("exec yes\n"))).hasMessage("docker does not answer within 1 s");
    }

    @Test
    void shouldRemoveLaterWhatAFrozenRuntimeKept() throws Exception {
        Containers containers = containers(docker("""
            case $1 in
                network) echo 172.18.0.1 true false ;;
                rm) echo "$*" >>"$dir/log"; [ ! -e "$dir/frozen" ] || exec sleep 50 ;;
            esac
            """));
        Container one = containers.of("w-1", "img", AttemptLimits.DEFAULT, false);
        Container two = containers.of("w-2", "img", AttemptLimits.DEFAULT, false);
        Files.writeString(temporary.resolve("frozen"), "");
        Thread.currentThread().interrupt();

        one.remove();

        assertThat(Thread.interrupted()).as("the interrupt is kept").isTrue();
        Files.delete(temporary.resolve("frozen"));
        two.remove();
        two.remove();
        List<String> calls = Files.readAllLines(temporary.resolve("log"));
        assertThat(calls).first().isEqualTo("rm --force assay-w-1");
        assertThat(calls.get(1)).contains("assay-w-1").contains("assay-w-2");
        assertThat(calls.get(2)).isEqualTo("rm --force assay-w-2");
    }
}
