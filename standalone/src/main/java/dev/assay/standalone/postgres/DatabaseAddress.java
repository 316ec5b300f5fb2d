package dev.assay.standalone.postgres;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.work.secret.SecretVariables;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The address of a database and its login.
 *
 * @param jdbcUrl as JDBC takes it, without a password
 * @param user the role; empty when the URL or the server's rules say it
 * @param password its password; empty when none is needed
 */
public record DatabaseAddress(String jdbcUrl, String user, String password) {

    private static final String URL_VARIABLE = "ASSAY_DATABASE_URL";
    private static final String PASSWORD_VARIABLE = "ASSAY_DATABASE_PASSWORD";

    /** As {@link #in(SecretVariables)}. */
    public static Optional<DatabaseAddress> in(Map<String, String> environment) {
        return in(SecretVariables.of(environment));
    }

    /** The database of this process's variables. */
    public static Optional<DatabaseAddress> ofProcess() {
        return in(SecretVariables.ofProcess());
    }

    /**
     * The database that {@code ASSAY_DATABASE_URL} names, with the password of {@code ASSAY_DATABASE_PASSWORD} when the URL has
     * none; empty when no URL is given.
     *
     * @throws AssayException INVALID_INPUT when the URL or a file cannot be read; the message never shows the password
     */
    public static Optional<DatabaseAddress> in(SecretVariables variables) {
        String url = value(variables, URL_VARIABLE);
        return url.isEmpty() ? Optional.empty() : Optional.of(of(url, value(variables, PASSWORD_VARIABLE)));
    }

    private static String value(SecretVariables variables, String name) {
        return Objects.requireNonNullElse(variables.value(name), "");
    }

    /** @param given the password when the URL has none */
    private static DatabaseAddress of(String url, String given) {
        DatabaseAddress address = parse(url);
        return address.password.isEmpty() ? new DatabaseAddress(address.jdbcUrl, address.user, given) : address;
    }

    /** Whether the password of this address stands in a file, which may change it. */
    public boolean isInFile(SecretVariables variables) {
        return (variables.isInFile(URL_VARIABLE) || variables.isInFile(PASSWORD_VARIABLE))
                && in(variables).filter(this::isSamePlace).isPresent();
    }

    /**
     * Calls {@code taker} when {@code variables} have another password for this address. Another database or user is refused: open
     * connections would stay where they are.
     */
    public void onChange(SecretVariables variables, Consumer<DatabaseAddress> taker) {
        variables.onChange(URL_VARIABLE, url -> taker.accept(checked(of(url, value(variables, PASSWORD_VARIABLE)))));
        variables.onChange(
                PASSWORD_VARIABLE, password -> taker.accept(checked(of(value(variables, URL_VARIABLE), password))));
    }

    private DatabaseAddress checked(DatabaseAddress now) {
        if (!isSamePlace(now)) {
            throw new AssayException(
                    ErrorCode.INVALID_INPUT,
                    URL_VARIABLE + " names another database or user; start again to go there.");
        }
        return now;
    }

    private boolean isSamePlace(DatabaseAddress other) {
        return jdbcUrl.equals(other.jdbcUrl) && user.equals(other.user);
    }

    /**
     * Reads {@code ASSAY_DATABASE_URL}: {@code jdbc:postgresql://host/db?user=…} or {@code postgresql://user:password@host/db}.
     *
     * @throws AssayException INVALID_INPUT for anything else; the message never shows the password
     */
    public static DatabaseAddress parse(String url) {
        if (url.startsWith("jdbc:postgresql:")) {
            return withoutLogin(url);
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

    /** JDBC takes the login in the query of the URL, where everyone who sees the URL would read it. */
    private static DatabaseAddress withoutLogin(String jdbcUrl) {
        String[] parts = jdbcUrl.split("[?]", 2);
        if (parts.length == 1) {
            return new DatabaseAddress(jdbcUrl, "", "");
        }
        Map<String, String> login = new HashMap<>();
        String others = Arrays.stream(parts[1].split("&"))
                .filter(parameter -> !isLogin(parameter, login))
                .collect(Collectors.joining("&"));
        return new DatabaseAddress(
                parts[0] + (others.isEmpty() ? "" : "?" + others),
                login.getOrDefault("user", ""),
                login.getOrDefault("password", ""));
    }

    private static boolean isLogin(String parameter, Map<String, String> login) {
        String[] pair = parameter.split("=", 2);
        boolean found = pair.length == 2 && List.of("user", "password").contains(pair[0]);
        if (found) {
            login.put(pair[0], decode(pair[1]));
        }
        return found;
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

    /** Host, port and database, for people. */
    public String place() {
        return jdbcUrl.substring("jdbc:postgresql:".length())
                .replaceFirst("[?].*", "")
                .replaceFirst("^//", "");
    }

    public Connection connect() throws SQLException {
        return DriverManager.getConnection(jdbcUrl, user, password);
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
                URL_VARIABLE + " must look like postgresql://user:password@host:5432/assay"
                        + " or jdbc:postgresql://host:5432/assay");
    }

    /** Never shows the password. */
    @Override
    public String toString() {
        return place();
    }
}
