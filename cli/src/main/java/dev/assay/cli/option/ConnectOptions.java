package dev.assay.cli.option;

import dev.assay.cli.client.ServerUrl;
import dev.assay.cli.terminal.ShellWord;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.standalone.engine.EngineKind;
import dev.assay.work.secret.SecretVariables;
import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of every command that asks the API. */
public final class ConnectOptions {

    private static final String TOKEN_VARIABLE = "ASSAY_API_TOKEN";

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Option(names = "--server", paramLabel = "URL", description = "Ask this server instead of an embedded one.")
    private @Nullable String server;

    @Option(
            names = "--engine",
            paramLabel = "ENGINE",
            description =
                    "Temporal of an embedded server: in-process, dev-server or external. Default: ASSAY_ENGINE, else"
                            + " external with TEMPORAL_ADDRESS, else dev-server with the temporal CLI on the PATH, else"
                            + " in-process.")
    private @Nullable String engine;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description =
                    "File with the token of a server that asks for one. Default: the variable ASSAY_API_TOKEN, or the"
                            + " file that ASSAY_API_TOKEN_FILE names.")
    private @Nullable Path tokenFile;

    public CommonOptions common() {
        return common;
    }

    /**
     * A command that can be pasted as it is: with the options that say where its campaign is.
     *
     * @param command of Assay, without such options
     */
    public String pasted(String command) {
        // A worker joins stores, not servers.
        if (server == null || command.startsWith("assay worker")) {
            return command + common.dataOption();
        }
        return command + " --server " + ShellWord.of(server)
                + (tokenFile == null ? "" : " --token-file " + ShellWord.of(tokenFile.toString()));
    }

    /** The base URL of the server; null: that of the data directory. */
    public @Nullable URI server() {
        return server == null ? null : ServerUrl.parse(server);
    }

    /**
     * The token to send; null: none.
     *
     * @throws AssayException INVALID_INPUT when the file cannot be read or holds no token
     */
    public @Nullable String token() {
        String token = tokenFile == null
                ? SecretVariables.ofProcess().value(TOKEN_VARIABLE)
                : SecretVariables.readOnce("--token-file", tokenFile);
        if (token == null || token.isBlank()) {
            return null;
        }
        if (!token.strip().chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw new AssayException(
                    ErrorCode.INVALID_INPUT,
                    (tokenFile == null ? TOKEN_VARIABLE : tokenFile)
                            + " holds no token: there are blanks or characters beyond ASCII in it");
        }
        return token.strip();
    }

    public EngineKind engine() {
        return EngineKind.choose(engine, System.getenv());
    }
}
