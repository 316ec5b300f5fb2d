package dev.assay.cli.postgres;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/**
 * Where a database is and how to log in.
 *
 * @param jdbcUrl as JDBC takes it, without a password
 * @param user the role; empty when the URL or the server's rules say it
 * @param password its password; empty when none is needed
 */
public record DatabaseAddress(String jdbcUrl, String user, String password) {

    /**
     * Reads {@code ASSAY_DATABASE_URL}: {@code jdbc:postgresql://host/db?user=…} or {@code postgresql://user:password@host/db}.
     *
     * @throws AssayException INVALID_INPUT for anything else; the message never shows the password
     */
    public static DatabaseAddress parse(String url) {
        if (url.startsWith("jdbc:postgresql:")) {
            return new DatabaseAddress(url, "", "");
        }
        try {
            URI uri = new URI(url);
            String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
            if (!List.of("postgres", "postgresql").contains(scheme) || uri.getHost() == null) {
                throw malformed();
            }
            String[] login = uri.getRawUserInfo() == null
                    ? new String[0]
                    : uri.getRawUserInfo().split(":", 2);
            String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
            String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
            return new DatabaseAddress(
                    "jdbc:postgresql://" + uri.getHost() + port + uri.getRawPath() + query,
                    login.length > 0 ? decode(login[0]) : "",
                    login.length > 1 ? decode(login[1]) : "");
        } catch (URISyntaxException e) {
            throw malformed();
        }
    }

    /** The same as {@code psql} takes it, login included. */
    public String libpqUrl() {
        String place = jdbcUrl.substring("jdbc:postgresql:".length());
        if (user.isEmpty() || !place.startsWith("//")) {
            return "postgresql:" + place;
        }
        String login = encode(user) + (password.isEmpty() ? "" : ":" + encode(password));
        return "postgresql://" + login + "@" + place.substring(2);
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String decode(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static AssayException malformed() {
        return new AssayException(
                ErrorCode.INVALID_INPUT,
                "ASSAY_DATABASE_URL must look like postgresql://user:password@host:5432/assay"
                        + " or jdbc:postgresql://host:5432/assay");
    }

    /** Never shows the password. */
    @Override
    public String toString() {
        return jdbcUrl;
    }
}
