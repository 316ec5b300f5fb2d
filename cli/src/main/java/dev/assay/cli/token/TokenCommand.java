package dev.assay.cli.token;

import dev.assay.cli.option.CommonOptions;
import dev.assay.cli.report.TextTable;
import dev.assay.cli.terminal.ExitCode;
import dev.assay.domain.access.Scope;
import dev.assay.standalone.server.StoreSession;
import dev.assay.store.access.Actor;
import dev.assay.store.access.Revocation;
import dev.assay.store.access.StoredToken;
import dev.assay.store.access.TokenRepository;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Tokens of the API. It goes to the store itself, so that the first token can be made before a server runs. */
@Command(
        name = "token",
        description = "Create, list and revoke tokens of the API.",
        subcommands = {
            TokenCommand.CreateCommand.class,
            TokenCommand.ListTokensCommand.class,
            TokenCommand.RevokeCommand.class
        })
public final class TokenCommand implements Runnable {

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public void run() {
        if (spec != null) {
            throw new ParameterException(spec.commandLine(), "Name a command: assay token create, list or revoke.");
        }
    }

    private static int with(CommonOptions common, BiConsumer<TokenRepository, PrintWriter> work) {
        try (StoreSession store = StoreSession.open(common.directory(), common.commandName())) {
            work.accept(store.get(TokenRepository.class), common.out());
            common.out().flush();
        }
        return ExitCode.OK;
    }

    private static Actor actor(CommonOptions common) {
        return new Actor(System.getProperty("user.name", "unknown"), common.commandName());
    }

    /** Makes a token and shows it, this once. */
    @Command(name = "create", description = "Create a token and print it; it cannot be printed again.")
    public static final class CreateCommand implements Callable<Integer> {

        private static final int LONGEST_DAYS = 36_500;

        @Mixin
        private CommonOptions common = new CommonOptions();

        @Option(
                names = "--scope",
                paramLabel = "SCOPE",
                required = true,
                description =
                        "read: looks at everything, metrics included. run: also submits and steers. admin: also reads"
                                + " the audit.")
        private Scope scope = Scope.READ;

        @Option(names = "--expires", paramLabel = "DAYS", description = "Days until it expires. Default: never.")
        private @Nullable Integer days;

        @Parameters(paramLabel = "NAME", description = "Its name; each name is used once.")
        private String name = "";

        @Override
        public Integer call() {
            Integer lifetime = days;
            if (lifetime != null && (lifetime < 1 || lifetime > LONGEST_DAYS)) {
                throw common.badUsage("--expires must be 1 to " + LONGEST_DAYS + " days, but is " + lifetime);
            }
            return with(
                    common,
                    (tokens, out) -> out.println(tokens.create(
                            name, scope, lifetime == null ? null : Duration.ofDays(lifetime), actor(common))));
        }
    }

    /** Shows all tokens without their secrets. */
    @Command(name = "list", description = "List all tokens, revoked ones too.")
    public static final class ListTokensCommand implements Callable<Integer> {

        @Mixin
        private CommonOptions common = new CommonOptions();

        @Override
        public Integer call() {
            return with(common, (tokens, out) -> out.print(table(tokens.all(), Instant.now())));
        }

        private static String table(List<StoredToken> tokens, Instant now) {
            TextTable table = new TextTable(List.of("NAME", "SCOPE", "CREATED", "EXPIRES", "STATE"));
            tokens.forEach(token -> table.row(List.of(
                    token.name(),
                    token.scope().word(),
                    token.createdAt().truncatedTo(ChronoUnit.SECONDS).toString(),
                    expiry(token),
                    state(token, now))));
            return table.text();
        }

        private static String expiry(StoredToken token) {
            Instant end = token.expiresAt();
            return end == null ? "never" : end.truncatedTo(ChronoUnit.SECONDS).toString();
        }

        private static String state(StoredToken token, Instant now) {
            if (token.revokedAt() != null) {
                String by = token.revokedBy() == null ? "" : " by " + token.revokedBy();
                return token.revokedWhy() == Revocation.ROTATION ? "rotated out" : "revoked" + by;
            }
            Instant end = token.expiresAt();
            return end != null && !end.isAfter(now) ? "expired" : "valid";
        }
    }

    /** Refuses a token from now on. */
    @Command(name = "revoke", description = "Revoke a token; it is refused from now on.")
    public static final class RevokeCommand implements Callable<Integer> {

        @Mixin
        private CommonOptions common = new CommonOptions();

        @Parameters(paramLabel = "NAME", description = "The token's name.")
        private String name = "";

        @Override
        public Integer call() {
            return with(common, (tokens, out) -> tokens.revoke(name, actor(common)));
        }
    }
}
