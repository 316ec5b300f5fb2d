package dev.assay.store.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.assay.store.StoreFixture;
import dev.assay.store.sql.Sql;
import dev.assay.store.workspace.UploadEnd.Complete;
import dev.assay.store.workspace.UploadEnd.Different;
import dev.assay.store.workspace.UploadEnd.Refused;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class WorkspaceRepositoryTest {

    private static final WorkspaceRepository.ArchiveCheck ACCEPT = archive -> Optional.empty();
    private static final int HOUR = 3_600;

    private static StoreFixture store;
    private static WorkspaceRepository workspaces;

    @BeforeAll
    static void start() {
        store = StoreFixture.open();
        workspaces = store.get(WorkspaceRepository.class);
    }

    @AfterAll
    static void stop() {
        store.close();
    }

    @BeforeEach
    void clear() {
        store.execute("DELETE FROM workspace");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String id(String content) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes(content)));
    }

    private static String other(int number) {
        return "%064x".formatted(number);
    }

    private String stored(String id) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        assertThat(workspaces.read(id, content::writeBytes)).isTrue();
        return content.toString(StandardCharsets.UTF_8);
    }

    private void age(String id, int seconds) {
        store.execute(
                "UPDATE workspace SET used_at = now() - make_interval(secs => ?) WHERE workspace_id = ?", seconds, id);
    }

    @Test
    void shouldKeepAWorkspaceWhenItsArchiveIsAccepted() throws Exception {
        String id = id("aaab");
        assertThat(workspaces.touch(id)).isFalse();
        assertThat(workspaces.complete(id, 1, ACCEPT)).isEqualTo(new Different());
        workspaces.store(id, 0, bytes("aaa"));
        workspaces.store(id, 1, bytes("b"));
        ByteArrayOutputStream seen = new ByteArrayOutputStream();

        UploadEnd end = workspaces.complete(id, 2, archive -> {
            archive.transferTo(seen);
            return Optional.empty();
        });

        assertThat(end).isEqualTo(new Complete());
        assertThat(seen).hasToString("aaab");
        assertThat(workspaces.touch(id)).isTrue();
        assertThat(stored(id)).isEqualTo("aaab");
        workspaces.store(id, 0, bytes("changed"));
        assertThat(stored(id)).isEqualTo("aaab");
        assertThat(workspaces.complete(id, 2, archive -> Optional.of("not asked")))
                .isEqualTo(new Complete());
    }

    @Test
    void shouldKeepNothingWhenTheArchiveIsRefused() throws Exception {
        String id = id("bad");
        workspaces.store(id, 0, bytes("bad"));

        assertThat(workspaces.complete(id, 1, archive -> Optional.of("It is bad.")))
                .isEqualTo(new Refused("It is bad."));

        assertThat(store.count("SELECT count(*) FROM workspace")).isZero();
        assertThat(store.count("SELECT count(*) FROM workspace_piece")).isZero();
    }

    /** What the archive has become by a fault on the way says nothing about the archive. */
    @Test
    void shouldAskForThePiecesAgainWhenTheyAreNotTheContent() throws Exception {
        String id = id("ab");
        workspaces.store(id, 0, bytes("a"));
        workspaces.store(id, 1, bytes("x"));

        assertThat(workspaces.complete(id, 2, archive -> Optional.of("It is bad.")))
                .isEqualTo(new Different());
        workspaces.store(id, 1, bytes("b"));
        assertThat(workspaces.complete(id, 3, ACCEPT)).isEqualTo(new Different());
        assertThat(workspaces.complete(id, 2, ACCEPT)).isEqualTo(new Complete());
    }

    @Test
    void shouldKeepTheUploadWhenTheCheckItselfFails() throws Exception {
        String id = id("ab");
        workspaces.store(id, 0, bytes("ab"));

        Throwable thrown = catchThrowable(() -> workspaces.complete(id, 1, archive -> {
            throw new IOException("gone");
        }));

        assertThat(thrown).hasRootCauseMessage("gone");
        assertThat(workspaces.complete(id, 1, ACCEPT)).isEqualTo(new Complete());
    }

    /** A piece that changed behind the check would make an archive usable that was never seen. */
    @Test
    void shouldLetNoPieceChangeWhileTheArchiveIsChecked() throws Exception {
        String id = id("good");
        workspaces.store(id, 0, bytes("good"));
        CompletableFuture<Boolean> attack = new CompletableFuture<>();

        UploadEnd end = workspaces.complete(id, 1, archive -> {
            read(archive);
            attack.completeAsync(() -> workspaces.store(id, 0, bytes("evil")));
            awaitLockOrEnd(attack);
            return Optional.empty();
        });

        assertThat(end).isEqualTo(new Complete());
        assertThat(attack.get()).isTrue();
        assertThat(stored(id)).isEqualTo("good");
    }

    private static void read(InputStream archive) throws IOException {
        var _ = archive.readAllBytes();
    }

    @Test
    void shouldTakeSixtyFourUploadsWhenManyBeginAtOnce() throws Exception {
        String complete = id("complete");
        workspaces.store(complete, 0, bytes("complete"));
        assertThat(workspaces.complete(complete, 1, ACCEPT)).isEqualTo(new Complete());
        try (ExecutorService clients = Executors.newFixedThreadPool(8)) {
            List<Boolean> taken = clients
                    .invokeAll(IntStream.range(0, 80)
                            .<Callable<Boolean>>mapToObj(i -> () -> workspaces.store(other(i), 0, bytes("x")))
                            .toList())
                    .stream()
                    .map(Future::resultNow)
                    .toList();
            assertThat(taken).filteredOn(Boolean::booleanValue).hasSize(64);
        }
        assertThat(store.count("SELECT count(*) FROM workspace WHERE NOT complete"))
                .isEqualTo(64);

        String one = (String) store.value("SELECT min(workspace_id) FROM workspace WHERE NOT complete");
        assertThat(workspaces.store(one, 1, bytes("further piece"))).isTrue();
        age(one, HOUR - 10);
        assertThat(workspaces.store(other(100), 0, bytes("x"))).isFalse();
        age(one, HOUR + 10);
        age(complete, HOUR - 10);
        assertThat(workspaces.store(other(100), 0, bytes("x"))).isTrue();
        assertThat(store.count("SELECT count(*) FROM workspace WHERE workspace_id = ?", one))
                .isZero();
        assertThat(workspaces.touch(complete)).isTrue();
    }

    /** The second one looks for room while the first is not yet committed. */
    @Test
    void shouldTakeOneOfTwoUploadsWhenThereIsRoomForOne() throws Exception {
        for (int i = 0; i < 63; i++) {
            workspaces.store(other(i), 0, bytes("x"));
        }
        CompletableFuture<Boolean> second = new CompletableFuture<>();

        boolean first = store.get(Sql.class).write(() -> {
            boolean taken = workspaces.store(other(63), 0, bytes("x"));
            second.completeAsync(() -> workspaces.store(other(64), 0, bytes("x")));
            awaitLockOrEnd(second);
            return taken;
        });

        assertThat(first).isTrue();
        assertThat(second.get()).isFalse();
    }

    private static void awaitLockOrEnd(CompletableFuture<Boolean> other) {
        await().until(() -> other.isDone() || store.count("SELECT count(*) FROM pg_locks WHERE NOT granted") > 0);
    }

    @Test
    void shouldTakeTwoGibibytesOfPiecesWhenUploadsAreNotComplete() {
        byte[] piece = new byte[8 << 20];
        assertThat(workspaces.store(other(0), 0, piece)).isTrue();
        for (int i = 1; i < 8; i++) {
            store.execute("INSERT INTO workspace (workspace_id) VALUES (?)", other(i));
        }
        store.execute("""
            INSERT INTO workspace_piece SELECT lpad(to_hex(u), 64, '0'), n, content
            FROM generate_series(0, 7) AS u, generate_series(0, 31) AS n, workspace_piece WHERE u > 0 OR n > 0\
            """);

        assertThat(workspaces.store(other(9), 0, bytes("x"))).isFalse();
        assertThat(workspaces.store(other(0), 32, bytes("x"))).isFalse();
        assertThat(workspaces.store(other(0), 31, bytes("replaced"))).isTrue();
        assertThat(workspaces.store(other(9), 0, bytes("x"))).isTrue();
    }
}
