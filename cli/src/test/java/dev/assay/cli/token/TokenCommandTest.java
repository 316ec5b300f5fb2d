package dev.assay.cli.token;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.cli.testing.CommandRun;
import dev.assay.standalone.engine.EngineKind;
import dev.assay.standalone.server.AssayServer;
import dev.assay.standalone.server.DataDirectory;
import dev.assay.standalone.server.ServerOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tokens from the first one, made before any server ran, to the last one's end. */
@Tag("slow")
@Timeout(180)
class TokenCommandTest {

    @TempDir
    Path directory;

    private CommandRun assay(String... arguments) {
        String[] all = java.util.Arrays.copyOf(arguments, arguments.length + 2);
        all[arguments.length] = "--data";
        all[arguments.length + 1] = directory.resolve("data").toString();
        return CommandRun.of(all);
    }

    private CommandRun list(AssayServer server, Path token) {
        return CommandRun.of("list", "--server", server.api().toString(), "--token-file", token.toString());
    }

    @Test
    void shouldLetOthersInOnlyWithAToken() throws Exception {
        CommandRun refused = assay("up", "--host", "0.0.0.0", "--port", "0", "--engine", "in-process");
        assertThat(refused.code()).as(refused.err()).isEqualTo(2);
        assertThat(refused.err()).contains("assay token create", "ASSAY_API_TOKEN");

        CommandRun created = assay("token", "create", "laptop", "--scope", "read", "--expires", "30");
        assertThat(created.code()).as(created.err()).isZero();
        String token = created.out().strip();
        assertThat(token).matches("assay_[0-9a-f]{64}");
        assertThat(assay("token", "create", "laptop", "--scope", "read").code()).isEqualTo(1);

        ServerOptions open =
                new ServerOptions("assay up", "0.0.0.0", 0, EngineKind.IN_PROCESS, ServerOptions.Role.SERVICE);
        try (AssayServer server = AssayServer.tryStart(DataDirectory.open(directory.resolve("data")), open)
                .orElseThrow()) {
            Path right = Files.writeString(directory.resolve("right"), token + "\n");
            Path wrong = Files.writeString(directory.resolve("wrong"), "assay_no\n");
            assertThat(list(server, right).code()).isZero();
            assertThat(list(server, wrong).code()).isEqualTo(1);
            assertThat(list(server, wrong).err()).contains("token");

            CommandRun unreadable = list(server, directory.resolve("missing"));
            assertThat(unreadable.code()).isEqualTo(2);
            assertThat(unreadable.err()).contains("--token-file names " + directory.resolve("missing"));

            CommandRun tokens = assay("token", "list");
            assertThat(tokens.out()).contains("laptop", "read", "valid").doesNotContain(token);
            assertThat(assay("token", "revoke", "laptop").code()).isZero();
            assertThat(list(server, right).code()).isEqualTo(1);
            assertThat(assay("token", "list").out()).contains("revoked");
            assertThat(assay("token", "revoke", "nobody").code()).isEqualTo(1);
        }
    }

    @Test
    void shouldExplainABadOption() {
        assertThat(assay("token").code()).isEqualTo(2);
        assertThat(assay("token", "create", "a").code()).isEqualTo(2);
        assertThat(assay("token", "create", "a", "--scope", "all").code()).isEqualTo(2);
        assertThat(assay("token", "create", "a", "--scope", "run", "--expires", "0")
                        .code())
                .isEqualTo(2);
    }
}
