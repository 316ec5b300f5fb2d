package dev.assay.standalone.server;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.store.access.Actor;
import dev.assay.store.access.TokenRepository;
import dev.assay.work.secret.SecretVariables;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Objects;

/** The rule of access over the network: this machine without a token, others with one. */
final class Doors {

    private static final String VARIABLE = "ASSAY_API_TOKEN";

    private Doors() {}

    /** Whether others can reach an address on {@code host}, so that it asks for tokens. */
    static boolean needTokens(String host) {
        try {
            return !InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            // Listening on it fails, and says why.
            return true;
        }
    }

    /**
     * Reads the token before anything is started.
     *
     * @throws AssayException INVALID_INPUT when both of its forms are set, or its file cannot be read
     */
    static void readToken() {
        var _ = SecretVariables.ofProcess().value(VARIABLE);
    }

    /** As {@link #check}, now and whenever the file of the token has another one. */
    static void follow(TokenRepository tokens, String host) {
        SecretVariables variables = SecretVariables.ofProcess();
        variables.onChange(VARIABLE, token -> check(tokens, host, token));
        check(tokens, host, Objects.requireNonNullElse(variables.value(VARIABLE), ""));
    }

    /**
     * Takes exactly the token that is given, or none, and refuses a server that no client could ask.
     *
     * @param given empty: none
     * @throws AssayException INVALID_INPUT when there is no valid token
     */
    private static void check(TokenRepository tokens, String host, String given) {
        Actor server = new Actor("server", VARIABLE);
        if (given.isEmpty()) {
            tokens.adoptNone(server);
        } else {
            tokens.adopt(given, server);
        }
        if (!tokens.hasValid()) {
            throw new AssayException(
                    ErrorCode.INVALID_INPUT,
                    "Others can reach " + host + ", so the API needs a token there and has none: make one with"
                            + " `assay token create NAME --scope run`, or set " + VARIABLE
                            + " to one of your own (openssl rand -hex 24)");
        }
    }
}
