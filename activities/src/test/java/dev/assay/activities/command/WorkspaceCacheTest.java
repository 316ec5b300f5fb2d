package dev.assay.activities.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.activities.isolation.ProgramIsolation;
import dev.assay.store.StoreFixture;
import dev.assay.store.workspace.WorkspaceRepository;
import dev.assay.work.archive.RefusedArchiveException;
import dev.assay.work.file.FileTree;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What workers keep of unpacked workspaces. */
class WorkspaceCacheTest {

    /** Two of the workspaces below, and not three. */
    private static final long LIMIT = 5_000_000;

    private static StoreFixture store;

    @TempDir
    Path temporary;

    private AgentRoom room;
    private WorkspaceCache cache;

    @BeforeAll
    static void start() {
        store = StoreFixture.open();
    }

    @AfterAll
    static void stop() {
        store.close();
    }

    @BeforeEach
    void open() {
        room = new AgentRoom(temporary.resolve("agents"), ProgramIsolation.none());
        cache = new WorkspaceCache(store.get(WorkspaceRepository.class), room, LIMIT);
    }

    @AfterEach
    void close() {
        room.close();
    }

    private static String store(byte[] archive) throws Exception {
        String id =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(archive));
        WorkspaceRepository workspaces = store.get(WorkspaceRepository.class);
        workspaces.store(id, 0, archive);
        workspaces.complete(id, 1, _ -> Optional.empty());
        return id;
    }

    /** A workspace of 2 MB in {@code files} files. */
    private String workspace(String name, int files) throws Exception {
        Path directory = Files.createDirectory(temporary.resolve(name));
        for (int i = 0; i < files; i++) {
            Files.write(directory.resolve("f" + i), new byte[2_000_000 / files]);
        }
        Files.writeString(directory.resolve("name"), name);
        ByteArrayOutputStream archive = new ByteArrayOutputStream();
        WorkspaceArchive.write(directory, List.of(), archive);
        return store(archive.toByteArray());
    }

    private Path copy(WorkspaceCache.Use use) throws Exception {
        Path target = temporary.resolve("copy-" + UUID.randomUUID());
        use.copyTo(target);
        return target;
    }

    private void copy(String id) throws Exception {
        try (WorkspaceCache.Use use = cache.use(id)) {
            copy(use);
        }
    }

    private List<String> kept() throws IOException {
        try (Stream<Path> kept = Files.list(room.workspaces())) {
            return kept.map(path -> path.getFileName().toString()).toList();
        }
    }

    @Test
    void shouldDeleteTheLeastRecentlyUsedWhenTheLimitIsReached() throws Exception {
        String a = workspace("a", 1);
        String b = workspace("b", 1);
        copy(a);
        copy(b);
        copy(a);

        String c = workspace("c", 1);
        copy(c);

        assertThat(kept()).containsExactlyInAnyOrder(a, c);
        copy(b);
        assertThat(kept()).containsExactlyInAnyOrder(b, c);
    }

    @Test
    void shouldLeaveWhatAnotherWorkerUnpacksWhenTheLimitIsReached() throws Exception {
        Files.writeString(room.workspaces().resolve("new-other-1"), "archive");
        Path directory = Files.createDirectory(room.workspaces().resolve("new-other-2"));
        KeptWorkspace.describe(directory, LIMIT);
        String a = workspace("a", 1);
        String b = workspace("b", 1);
        String c = workspace("c", 1);
        for (String id : List.of(a, b, c)) {
            copy(id);
        }

        assertThat(kept()).containsExactlyInAnyOrder("new-other-1", "new-other-2", b, c);
    }

    @Test
    void shouldKeepWhatAnAttemptUsesWhenTheLimitIsReached() throws Exception {
        String a = workspace("a", 1);
        String b = workspace("b", 1);
        String c = workspace("c", 1);
        try (WorkspaceCache.Use first = cache.use(a);
                WorkspaceCache.Use second = cache.use(a)) {
            copy(first);
            second.close();
            copy(b);
            copy(c);

            assertThat(kept()).containsExactlyInAnyOrder(a, c);
            assertThat(copy(first).resolve("name")).hasContent("a");
        }
    }

    /** What a copy is made of may vanish under it: then it is made anew. */
    @Test
    void shouldNeverCopyAPartWhenAnotherWorkerRemovesTheWorkspace() throws Exception {
        String a = workspace("a", 100);
        Path place = room.workspaces().resolve(a);
        AtomicBoolean over = new AtomicBoolean();
        Thread other = Thread.ofPlatform().start(() -> {
            for (int i = 0; !over.get(); i++) {
                try {
                    Path removed = place.resolveSibling("other-" + i);
                    Files.move(place, removed, StandardCopyOption.ATOMIC_MOVE);
                    FileTree.delete(removed);
                } catch (IOException _) {
                    Thread.onSpinWait();
                }
            }
        });
        int copies = 0;
        for (int i = 0; i < 5; i++) {
            try (WorkspaceCache.Use use = cache.use(a)) {
                assertThat(copy(use).toFile().list()).hasSize(101);
                copies++;
            } catch (IOException e) {
                assertThat(e).hasMessageContaining("ASSAY_WORKSPACE_CACHE_GB");
            }
            if (i == 2) {
                over.set(true);
                other.join();
            }
        }
        assertThat(copies).isGreaterThanOrEqualTo(2);
    }

    @Test
    void shouldServeBothWhenTwoWorkersUnpackOneWorkspaceAtOnce() throws Exception {
        try (AgentRoom room = new AgentRoom(temporary.resolve("agents"), ProgramIsolation.none())) {
            WorkspaceCache other = new WorkspaceCache(store.get(WorkspaceRepository.class), room, LIMIT);
            for (int i = 0; i < 5; i++) {
                String id = workspace("both" + i, 20);
                CyclicBarrier start = new CyclicBarrier(2);
                CompletableFuture<Path> copied = new CompletableFuture<>();
                Thread.ofPlatform().start(() -> {
                    try (WorkspaceCache.Use use = other.use(id)) {
                        start.await();
                        copied.complete(copy(use));
                    } catch (Exception e) {
                        copied.completeExceptionally(e);
                    }
                });
                start.await();
                copy(id);

                assertThat(copied.get().resolve("name")).hasContent("both" + i);
            }
        }
    }

    @Test
    void shouldRefuseForGoodAndLeaveNothingWhenTheArchiveIsRefused() throws Exception {
        byte[] notATar = new byte[512];
        notATar[0] = 'x';
        String id = store(notATar);

        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> copy(id))
                    .isInstanceOf(RefusedArchiveException.class)
                    .hasMessage("Entry 1 of the archive has a header with a wrong checksum (rule 1).");
            assertThat(kept()).isEmpty();
            store.execute("DELETE FROM workspace WHERE workspace_id = ?", id);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "12", "-1 x", "99999999999999999999 00000000-0000-0000-0000-000000000000"})
    void shouldUnpackAgainWhenACrashOfTheMachineLeftAPart(String about) throws Exception {
        String id = workspace("whole" + about.length(), 1);
        Path place = Files.createDirectories(room.workspaces().resolve(id));
        Files.writeString(place.resolve("about"), about);

        try (WorkspaceCache.Use use = cache.use(id)) {
            assertThat(copy(use).resolve("name")).hasContent("whole" + about.length());
        }
        assertThat(kept()).containsExactly(id);
    }

    @Test
    void shouldSaySoWhenAWorkspaceIsNotStored() {
        assertThatThrownBy(() -> copy("0".repeat(64)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("not stored");
    }
}
