package dev.assay.work.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.assay.work.confine.Landlock;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of archives on a disk, and of everything around them. */
class UnpackingTest {

    private static final List<String> SEGMENTS = List.of("a", "a", "b", "b", "c", "A", "..", ".", "é", "e\u0301");
    private static final List<String> WAYS = List.of("a", "b", "c", "..", "..", ".", "");

    /** Java cannot change what it keeps back. */
    @SuppressWarnings("restricted")
    private static final MethodHandle UMASK = Linker.nativeLinker()
            .downcallHandle(
                    Linker.nativeLinker().defaultLookup().findOrThrow("umask"),
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

    @TempDir
    Path temporary;

    private Path directory;

    /** Names that archives use lie around the directory, so that each way out hits something. */
    @BeforeEach
    void makeSurroundings() throws IOException {
        Path around =
                Files.createDirectories(temporary.resolve("around/workspaces")).getParent();
        Files.writeString(around.resolve("providers.yaml"), "key");
        for (String name : List.of("a", "b", "c")) {
            Files.createDirectories(around.resolve(name));
            Files.writeString(around.resolve(name + "/a"), name);
            Files.writeString(around.resolve("workspaces/" + name), name);
        }
        directory = around.resolve("workspaces/new");
    }

    private long unpack(byte[] archive) throws Exception {
        Path file = Files.write(temporary.resolve("archive.tar"), archive);
        return Unpacking.unpack(file, directory);
    }

    private Map<String, String> files() throws IOException {
        return Snapshot.of(Unpacking.files(directory), directory);
    }

    private void clear() throws IOException {
        for (String path : Snapshot.of(directory, temporary).keySet().stream()
                .sorted(Collections.reverseOrder())
                .toList()) {
            Files.delete(directory.resolve(path));
        }
        Files.delete(directory);
    }

    private static String path(Random random, List<String> segments, int most) {
        return IntStream.range(0, 1 + random.nextInt(most))
                .mapToObj(_ -> segments.get(random.nextInt(segments.size())))
                .collect(Collectors.joining("/"));
    }

    /** Files, directories and links with few names, so that they meet; some ways out of each kind. */
    private RawTar hostile(Random random) {
        RawTar archive = new RawTar();
        for (int i = random.nextInt(6); i >= 0; i--) {
            String name = random.nextInt(25) == 0
                    ? temporary.resolve("around/" + path(random, WAYS, 2)).toString()
                    : path(random, random.nextInt(4) == 0 ? SEGMENTS : SEGMENTS.subList(0, 5), 3);
            String target = random.nextInt(8) == 0 ? temporary.resolve("around").toString() : path(random, WAYS, 5);
            switch (random.nextInt(10)) {
                case 0, 1 -> archive.directory(name);
                case 2, 3, 4, 5 -> archive.link(name, target);
                case 6 ->
                    archive.entry(
                            random.nextBoolean() ? '1' : '0',
                            RawTar.utf8(name),
                            RawTar.utf8(target),
                            04755,
                            RawTar.utf8("x"));
                default -> archive.file(name, "written");
            }
        }
        return archive;
    }

    @Test
    void shouldWriteExactlyWhatIsAcceptedAndChangeNothingAroundWhenArchivesAreHostile() throws Exception {
        Random random = new Random(4);
        int accepted = 0;
        for (int i = 0; i < 300; i++) {
            byte[] archive = hostile(random).end();
            if (random.nextInt(5) == 0) {
                archive = ArchiveReaderTest.broken(archive, random);
            }
            Map<String, String> before = Snapshot.of(temporary.resolve("around"), directory);
            try {
                unpack(archive);
                assertThat(files()).isEqualTo(asPaths(RecordedTree.of(archive).tree));
                assertThat(directory.toFile().list()).containsExactly("files");
                assertThatNoLinkLeaves();
                accepted++;
            } catch (RefusedArchiveException e) {
                byte[] refused = archive;
                assertThatThrownBy(() -> RecordedTree.of(refused)).hasMessage(e.getMessage());
            }
            assertThat(Snapshot.of(temporary.resolve("around"), directory)).isEqualTo(before);
            clear();
        }
        assertThat(accepted).isBetween(50, 250);
    }

    /** Java writes no target with a {@code /} too many: {@code a//b/} becomes {@code a/b}, which leads to the same place. */
    private static Map<String, String> asPaths(Map<String, String> tree) {
        tree.replaceAll(
                (path, what) -> what.startsWith("link:") ? "link:" + Path.of(what.substring("link:".length())) : what);
        return tree;
    }

    private void assertThatNoLinkLeaves() throws IOException {
        Path top = Unpacking.files(directory).toRealPath();
        for (String path : files().keySet()) {
            try {
                assertThat(top.resolve(path).toRealPath()).startsWith(top);
            } catch (NoSuchFileException _) {
                // Programs may make the target.
            }
        }
    }

    /** Bytes that come from {@code next} when all of {@code first} has been read. */
    private static InputStream then(byte[] first, Callable<byte[]> next) {
        return new SequenceInputStream(new ByteArrayInputStream(first), new InputStream() {
            private InputStream rest;

            @Override
            public int read() throws IOException {
                if (rest == null) {
                    try {
                        rest = new ByteArrayInputStream(next.call());
                    } catch (Exception e) {
                        throw new IOException(e);
                    }
                }
                return rest.read();
            }
        });
    }

    private byte[] swapped(String name, byte[] rest) throws IOException {
        Path place = directory.resolve(name);
        Files.move(place, place.resolveSibling("moved"));
        Files.createSymbolicLink(place, temporary.resolve("around"));
        return rest;
    }

    /** The first wall alone: another process of this user puts a link in the place of a directory that is in use. */
    @Test
    void shouldWriteThroughNoLinkWhenItTakesThePlaceOfADirectoryMeanwhile() throws Exception {
        Map<String, String> before = Snapshot.of(temporary.resolve("around"), directory);
        byte[] first = new RawTar().file("d/e/one", "1").open();
        byte[] inOpen = new RawTar()
                .file("d/e/two", "2")
                .directory("d/e/a")
                .link("d/e/l", "one")
                .end();

        Files.createDirectory(directory);
        Unpacking.write(then(first, () -> swapped("files/d", inOpen)), directory);

        assertThat(Snapshot.of(directory, temporary))
                .containsKeys("files/moved/e/two", "files/moved/e/a", "files/moved/e/l");
        assertThat(Snapshot.of(temporary.resolve("around"), directory)).isEqualTo(before);
        clear();

        byte[] elsewhere = new RawTar().file("d/e/one", "1").file("x", "").open();
        byte[] inClosed = new RawTar().file("d/two", "2").end();
        Files.createDirectory(directory);
        assertThatThrownBy(() -> Unpacking.write(then(elsewhere, () -> swapped("files/d", inClosed)), directory))
                .isInstanceOf(IOException.class);
        assertThat(Snapshot.of(temporary.resolve("around"), directory)).isEqualTo(before);
    }

    /** The second wall: even where the writer itself is led outside by a path, the kernel refuses. */
    @Test
    void shouldBeStoppedByLandlockWhenTheWritersOwnDirectoryIsReplaced() throws Exception {
        assumeTrue(
                Landlock.version() >= 2,
                "This kernel's Landlock is missing or too old: files relative to open directories were the only wall");
        Path pipe = temporary.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        Map<String, String> before = Snapshot.of(temporary.resolve("around"), directory);
        CompletableFuture<Throwable> unpacked = CompletableFuture.supplyAsync(() -> {
            try {
                Unpacking.unpack(pipe, directory);
                return new AssertionError("unpacked");
            } catch (Exception e) {
                return e;
            }
        });
        try (OutputStream archive = Files.newOutputStream(pipe)) {
            archive.write(new RawTar().file("one", "1").open());
            archive.flush();
            while (!Files.exists(directory.resolve("files/one"), LinkOption.NOFOLLOW_LINKS)) {
                Thread.onSpinWait();
            }
            swapped("made", new byte[0]);
            archive.write(new RawTar().directory("d").end());
        }

        assertThat(unpacked.get(10, TimeUnit.SECONDS)).isInstanceOf(AccessDeniedException.class);
        assertThat(Snapshot.of(temporary.resolve("around"), directory)).isEqualTo(before);
    }

    @Test
    void shouldGiveTheSamePermissionsWhenTheProcessKeepsSomeBack() throws Throwable {
        byte[] archive = new RawTar()
                .file("d/f", "x")
                .entry('0', RawTar.utf8("run"), new byte[0], 0711, RawTar.utf8("x"))
                .end();
        int before = (int) UMASK.invokeExact(0077);
        try {
            unpack(archive);
        } finally {
            before = (int) UMASK.invokeExact(before);
        }

        assertThat(before).isEqualTo(0077);
        assertThat(files()).isEqualTo(RecordedTree.of(archive).tree);
        assertThat(Files.getPosixFilePermissions(Unpacking.files(directory)))
                .isEqualTo(PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThat(Files.getPosixFilePermissions(directory)).isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void shouldCountWhatFilesTakeOnDiskWhenTheyAreSmall() throws Exception {
        assertThat(unpack(new RawTar().file("d/f", "12345").link("l", "d").end()))
                .isEqualTo(3 * 4096 + 5);
    }

    @Test
    void shouldRefuseToUseADirectoryWhenItIsThere() throws Exception {
        Files.createDirectory(directory);

        assertThatThrownBy(() -> unpack(new RawTar().end())).isInstanceOf(IOException.class);
    }

    @Test
    void shouldEndTheThreadWhenTheCallerIsInterrupted() throws Exception {
        Path pipe = temporary.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread caller = Thread.ofVirtual().start(() -> {
            try {
                Unpacking.unpack(pipe, directory);
            } catch (Exception e) {
                thrown.complete(e);
            }
        });
        try (OutputStream archive = Files.newOutputStream(pipe)) {
            archive.write(new RawTar().file("one", "1").open());
            while (!Files.exists(directory.resolve("files/one"), LinkOption.NOFOLLOW_LINKS)) {
                Thread.onSpinWait();
            }
            caller.interrupt();
            assertThat(thrown.get(10, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
        }
    }
}
