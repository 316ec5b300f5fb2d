package dev.assay.cli.option;

import dev.assay.cli.client.AssayApi;
import dev.assay.cli.engine.EngineKind;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What every command takes that asks the API. */
public final class ConnectOptions {

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

    public CommonOptions common() {
        return common;
    }

    /** The base URL of the server to ask; null: the data directory says which. */
    public @Nullable URI server() {
        return server == null ? null : AssayApi.base(server);
    }

    public EngineKind engine() {
        return EngineKind.choose(engine, System.getenv());
    }
}
