package dev.assay.work.confine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The walls, each tried from a thread that is inside. */
class LandlockTest {

    private static final List<Path> EVERYTHING = List.of(Path.of("/"));

    @TempDir
    Path temporary;

    private Path inside;
    private Path outside;

    @BeforeEach
    void makeDirectories() throws IOException {
        assumeTrue(
                Landlock.version() > 0,
                "This kernel has no Landlock (Linux 5.13 or newer has it): its walls were not tried");
        inside = Files.createDirectory(temporary.resolve("inside"));
        outside = Files.createDirectory(temporary.resolve("outside"));
        Files.writeString(outside.resolve("file"), "secret");
    }

    private Landlock closed() throws IOException {
        return Landlock.closing(EnumSet.allOf(Wall.class));
    }

    private static <T> T call(Landlock ruleset, Callable<T> work) throws Exception {
        try {
            return ConfinedThread.call("confined", ruleset, work);
        } catch (ExecutionException e) {
            throw (Exception) e.getCause();
        }
    }

    private static void isDenied(Landlock ruleset, ThrowingCallable work) throws Exception {
        Throwable thrown = call(ruleset, () -> catchThrowable(work));
        assertThat(thrown).isInstanceOf(IOException.class);
        String message = thrown + " " + thrown.getMessage();
        assertThat(message)
                .containsAnyOf("AccessDenied", "Permission denied", "Operation not permitted", "cross-device link");
    }

    @Test
    void shouldChangeNothingButItsDirectoryWhenTheRestCanOnlyBeRead() throws Exception {
        try (Landlock walls = closed().readExecute(EVERYTHING).readWrite(List.of(inside))) {
            call(
                    walls,
                    () -> Files.writeString(
                            Files.createDirectory(inside.resolve("d")).resolve("f"), "x"));
            call(walls, () -> Files.createSymbolicLink(inside.resolve("way"), outside));
            assertThat(call(walls, () -> Files.readString(outside.resolve("file"))))
                    .isEqualTo("secret");

            isDenied(walls, () -> Files.writeString(outside.resolve("new"), "x"));
            isDenied(walls, () -> Files.writeString(inside.resolve("way/new"), "x"));
            isDenied(walls, () -> Files.writeString(outside.resolve("file"), "x"));
            isDenied(walls, () -> Files.delete(outside.resolve("file")));
            isDenied(walls, () -> Files.createDirectory(outside.resolve("new")));
            isDenied(walls, () -> Files.createSymbolicLink(outside.resolve("new"), inside));
            isDenied(walls, () -> Files.createLink(inside.resolve("hard"), outside.resolve("file")));
            isDenied(walls, () -> Files.move(inside.resolve("d/f"), outside.resolve("f")));
        }
        assertThat(inside.resolve("d/f")).hasContent("x");
        assertThat(outside.resolve("file")).hasContent("secret");
        assertThat(outside).isDirectoryNotContaining(path -> !path.endsWith("file"));
    }

    @Test
    void shouldReadNothingWhenNoRuleOpensIt() throws Exception {
        Files.writeString(inside.resolve("file"), "open");
        try (Landlock walls = closed().readExecute(List.of(inside))) {
            assertThat(call(walls, () -> Files.readString(inside.resolve("file"))))
                    .isEqualTo("open");
            isDenied(walls, () -> Files.readString(outside.resolve("file")));
            isDenied(walls, () -> Files.list(outside).close());
            isDenied(walls, () -> Files.writeString(inside.resolve("file"), "x"));
        }
    }

    @Test
    void shouldOpenOneFileWhenARuleNamesIt() throws Exception {
        try (Landlock walls = closed().readWrite(List.of(outside.resolve("file"), Path.of("/dev/null")))) {
            call(walls, () -> Files.writeString(outside.resolve("file"), "changed"));
            call(walls, () -> Files.writeString(Path.of("/dev/null"), "x"));
            isDenied(walls, () -> Files.writeString(outside.resolve("other"), "x"));
        }
        assertThat(outside.resolve("file")).hasContent("changed");
    }

    @Test
    void shouldConnectAndListenNowhereButAtOpenPortsWhenTcpIsClosed() throws Exception {
        assumeTrue(Landlock.version() >= 4, "This kernel's Landlock does not know TCP: its wall was not tried");
        InetAddress here = InetAddress.getLoopbackAddress();
        try (ServerSocketChannel open = ServerSocketChannel.open().bind(new InetSocketAddress(here, 0));
                ServerSocketChannel shut = ServerSocketChannel.open().bind(new InetSocketAddress(here, 0));
                Landlock walls =
                        closed().readExecute(EVERYTHING).connect(open.socket().getLocalPort());
                Landlock connections = Landlock.closing(Set.of(Wall.CONNECT))) {
            call(walls, () -> {
                SocketChannel.open(open.getLocalAddress()).close();
                return true;
            });
            isDenied(walls, () -> SocketChannel.open(shut.getLocalAddress()).close());
            isDenied(
                    walls,
                    () -> ServerSocketChannel.open()
                            .bind(new InetSocketAddress(here, 0))
                            .close());
            isDenied(
                    connections,
                    () -> SocketChannel.open(open.getLocalAddress()).close());
            call(connections, () -> {
                ServerSocketChannel.open().bind(new InetSocketAddress(here, 0)).close();
                return Files.writeString(outside.resolve("new"), "files are open");
            });
        }
    }

    @Test
    void shouldReachNoProcessOutsideWhenProcessesAreClosed() throws Exception {
        assumeTrue(Landlock.version() >= 6, "This kernel's Landlock does not know signals: its wall was not tried");
        Callable<Integer> kill = () -> new ProcessBuilder(
                        "sh", "-c", "kill -0 " + ProcessHandle.current().pid())
                .redirectErrorStream(true)
                .start()
                .waitFor();
        try (Landlock walls = closed().readExecute(EVERYTHING).readWrite(List.of(Path.of("/dev/null")))) {
            assertThat(kill.call()).as("free").isZero();
            assertThat(call(walls, kill)).as("confined").isNotZero();
        }
    }

    @Test
    void shouldRestrictWhatAThreadStartsAndNoOtherThreadWhenItIsRestricted() throws Exception {
        try (Landlock walls = closed().readExecute(EVERYTHING)) {
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            call(walls, () -> {
                Thread child = Thread.ofPlatform()
                        .start(() ->
                                thrown.set(catchThrowable(() -> Files.writeString(outside.resolve("child"), "x"))));
                child.join();
                return true;
            });
            assertThat(thrown.get()).isInstanceOf(IOException.class);
        }
        Files.writeString(outside.resolve("free"), "x");
    }

    /** A carrier that a restricted thread started would be restricted for the rest of the process. */
    @Test
    void shouldLeaveVirtualThreadsFreeWhenTheEndOfConfinedWorkNeedsACarrier() throws Exception {
        Path written = outside.resolve("new");
        Process probe = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djdk.virtualThreadScheduler.parallelism=4",
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CarrierProbe.class.getName(),
                        written.toString())
                .inheritIO()
                .start();

        assertThat(probe.waitFor()).isZero();
        assertThat(written).hasContent("free");
    }

    @Test
    void shouldRefuseAVirtualThreadWhenItAsksToBeRestricted() throws Exception {
        try (Landlock walls = closed()) {
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            Thread.ofVirtual()
                    .start(() -> thrown.set(catchThrowable(walls::restrictSelf)))
                    .join();

            assertThat(thrown.get()).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void shouldNameThePathWhenARuleIsForNothing() throws IOException {
        try (Landlock walls = closed()) {
            assertThatThrownBy(() -> walls.readWrite(List.of(temporary.resolve("none"))))
                    .isInstanceOf(NoSuchFileException.class)
                    .hasMessageContaining("none");
            assertThatThrownBy(() -> walls.connect(65_536)).hasMessageContaining("65536");
        }
    }

    @Test
    void shouldConnectEverywhereButToClosedPortsWhenARulesetNamesThem() throws Exception {
        assumeTrue(Landlock.version() >= 4, "This kernel's Landlock does not know TCP: its wall was not tried");
        InetAddress here = InetAddress.getLoopbackAddress();
        try (ServerSocketChannel open = ServerSocketChannel.open().bind(new InetSocketAddress(here, 0));
                ServerSocketChannel shut = ServerSocketChannel.open().bind(new InetSocketAddress(here, 0));
                Landlock walls = Landlock.closing(EnumSet.of(Wall.CONNECT))
                        .connectAllBut(Set.of(shut.socket().getLocalPort()))) {
            call(walls, () -> {
                SocketChannel.open(open.getLocalAddress()).close();
                return true;
            });
            isDenied(walls, () -> SocketChannel.open(shut.getLocalAddress()).close());
        }
    }
}
