package dev.assay.cli.client;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;

/** The address of a server, as users write it. */
public final class ServerUrl {

    private ServerUrl() {}

    /**
     * The base URL of a server, from what a user gave: also from the address of the API itself.
     *
     * @throws AssayException INVALID_INPUT when {@code server} is no http or https URL
     */
    public static URI parse(String server) {
        String trimmed = server.strip().replaceFirst("/+$", "");
        String root = trimmed.endsWith(AssayApi.API)
                ? trimmed.substring(0, trimmed.length() - AssayApi.API.length())
                : trimmed;
        try {
            URI base = new URI(root);
            String scheme = String.valueOf(base.getScheme()).toLowerCase(Locale.ROOT);
            if (List.of("http", "https").contains(scheme) && base.getHost() != null) {
                return base;
            }
        } catch (URISyntaxException e) {
            // Reported below, in the user's words.
        }
        throw new AssayException(
                ErrorCode.INVALID_INPUT, "--server must be a URL like http://127.0.0.1:8080, but is " + server);
    }
}
