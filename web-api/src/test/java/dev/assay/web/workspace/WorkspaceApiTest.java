package dev.assay.web.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.json.Json;
import dev.assay.web.ServerFixture;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.zip.InflaterInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Uploads of archives, as clients send them. */
final class WorkspaceApiTest {

    /** A directory, a link {@code d} to it, then a file {@code d/x}. */
    private static final String BELOW_A_LINK = """
        eNrt0T0KgDAMhuFv9hS9QX/TnEdoQVd/wONbHIsIDu3SPEuyJfAmtGcKZn5mUc+XPTpiKJc7PHfux7yVkxhT1p36E/3pb9lCEaR/a0lfXfrHED76\
        +7q/Jw9lpH9zyzpBCCHEeG6huifj\
        """;

    /** A directory with a file, and a link to it beside. */
    private static final String LINK_INSIDE = """
        eNpL1C9hoDUwAAIzExMwDQToNBAYI7FB4mbGQOUKBgx0AKXFJYlFQCsZRibIyORiGAUjFyTp59Al/5ubm+PJ/+hsc0MzIwYFIz09/URal08jPP+P\
        glEwCkYuAADDcxzT\
        """;

    private static ServerFixture server;

    @BeforeAll
    static void start() {
        server = ServerFixture.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void clear() {
        server.store().execute("DELETE FROM workspace");
    }

    private static byte[] archive(String packed) throws Exception {
        byte[] bytes = Base64.getDecoder().decode(packed);
        try (InflaterInputStream unpacked = new InflaterInputStream(new ByteArrayInputStream(bytes))) {
            return unpacked.readAllBytes();
        }
    }

    private static String path(byte[] archive) throws Exception {
        return "/api/v1/workspaces/"
                + HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(archive));
    }

    private static HttpResponse<String> put(String path, byte[] piece) {
        return server.send(server.request(path)
                .header("Content-Type", "application/octet-stream")
                .PUT(BodyPublishers.ofByteArray(piece)));
    }

    private static HttpResponse<String> upload(byte[] archive) throws Exception {
        String path = path(archive);
        int half = archive.length / 2;
        assertThat(put(path + "/0", Arrays.copyOf(archive, half)).statusCode()).isEqualTo(200);
        assertThat(put(path + "/1", Arrays.copyOfRange(archive, half, archive.length))
                        .statusCode())
                .isEqualTo(200);
        return complete(path);
    }

    private static HttpResponse<String> complete(String path) {
        return server.send(server.request(path)
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofString("{\"pieces\": 2}")));
    }

    @Test
    void shouldBeStoredWhenTheArchiveIsAccepted() throws Exception {
        byte[] archive = archive(LINK_INSIDE);

        HttpResponse<String> stored = upload(archive);

        assertThat(stored.statusCode()).isEqualTo(200);
        assertThat(Json.tree(stored.body()).path("stored").asBoolean()).isTrue();
        assertThat(Json.tree(server.fetch(path(archive)).body()).path("stored").asBoolean())
                .isTrue();
    }

    @Test
    void shouldNameTheEntryAndKeepNothingWhenTheArchiveIsRefused() throws Exception {
        byte[] archive = archive(BELOW_A_LINK);

        HttpResponse<String> refused = upload(archive);

        assertThat(refused.statusCode()).isEqualTo(422);
        JsonNode problem = Json.tree(refused.body());
        assertThat(problem.path("code").asText()).isEqualTo("INVALID_INPUT");
        assertThat(problem.at("/errors/0/path").asText()).isEqualTo("archive");
        assertThat(problem.at("/errors/0/message").asText())
                .isEqualTo("Entry 3 `d/x` of the archive lies below the link `d` (rule 4).");
        assertThat(server.store().count("SELECT count(*) FROM workspace")).isZero();
        assertThat(server.store().count("SELECT count(*) FROM workspace_piece")).isZero();
        assertThat(complete(path(archive)).body()).contains("do not make up the content");
    }

    @Test
    void shouldAnswerBusyForAMinuteWhenTooManyUploadsAreNotComplete() throws Exception {
        for (int i = 0; i < 64; i++) {
            server.store().execute("INSERT INTO workspace (workspace_id) VALUES (?)", "%064x".formatted(i));
        }
        byte[] archive = archive(LINK_INSIDE);

        HttpResponse<String> refused = put(path(archive) + "/0", archive);

        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.headers().firstValue("Retry-After")).contains("60");
        assertThat(Json.tree(refused.body()).path("code").asText()).isEqualTo("SERVER_BUSY");
        server.store()
                .execute(
                        "UPDATE workspace SET used_at = now() - interval '61 minutes' WHERE workspace_id = ?",
                        "%064x".formatted(5));
        assertThat(upload(archive).statusCode()).isEqualTo(200);
    }
}
