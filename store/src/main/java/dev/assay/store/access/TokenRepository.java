package dev.assay.store.access;

import dev.assay.domain.access.Scope;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import io.micronaut.transaction.annotation.Transactional;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of the API. Kept is the SHA-256 of each: a token is too long to be guessed, so that a slow hash would gain nothing. Who
 * changes them stands in the audit, in the same transaction.
 */
@Singleton
public class TokenRepository {

    private static final String PREFIX = "assay_";
    private static final int SECRET_BYTES = 32;

    /** Begins the names of tokens that a server's environment brings. */
    private static final String ENVIRONMENT = "environment-";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final Pattern GIVEN = Pattern.compile("[!-~]{32,512}");

    private static final String IS_VALID =
            "revoked_at IS NULL AND (expires_at IS NULL OR expires_at > clock_timestamp())";

    private static final String INSERT = """
        INSERT INTO api_token (name, token_hash, scope, expires_at)
        VALUES (?, decode(?, 'hex'), ?, clock_timestamp() + ? * interval '1 second') ON CONFLICT DO NOTHING\
        """;

    private static final String REVOKE_OTHERS = """
        UPDATE api_token SET revoked_at = clock_timestamp()
        WHERE starts_with(name, ?) AND name <> ? AND revoked_at IS NULL\
        """;

    private static final String VALID = "SELECT * FROM api_token WHERE token_hash = decode(?, 'hex') AND " + IS_VALID;

    private final Sql sql;
    private final AuditRepository audit;
    private final SecureRandom random = new SecureRandom();

    TokenRepository(Sql sql, AuditRepository audit) {
        this.sql = sql;
        this.audit = audit;
    }

    /**
     * Makes a token.
     *
     * @param name letters, digits, {@code . _ -}, at most 64
     * @param lifetime null: it does not expire
     * @param who makes it, and from where, for the audit
     * @return the token, which cannot be shown again
     * @throws AssayException INVALID_INPUT when the name is none; CONFLICT when there is or was one of this name
     */
    @Transactional
    public String create(String name, Scope scope, @Nullable Duration lifetime, Actor who) {
        if (!NAME.matcher(name).matches() || name.startsWith(ENVIRONMENT)) {
            throw new AssayException(
                    ErrorCode.INVALID_INPUT,
                    "A token's name has 1 to 64 letters, digits, dots, underscores and hyphens, and does not begin"
                            + " with "
                            + ENVIRONMENT);
        }
        byte[] secret = new byte[SECRET_BYTES];
        random.nextBytes(secret);
        String token = PREFIX + HexFormat.of().formatHex(secret);
        if (sql.update(INSERT, name, hash(token), scope.word(), lifetime == null ? null : lifetime.toSeconds()) == 0) {
            throw new AssayException(
                    ErrorCode.CONFLICT,
                    "There is or was a token " + name + "; names are not used again: choose another");
        }
        audit.record(who, "token create " + name + " " + scope.word());
        return token;
    }

    /**
     * Takes what a server's environment gives as an administrator's token, and revokes the one that it gave before. A token that is
     * known already stays what it is, also revoked.
     *
     * @throws AssayException INVALID_INPUT when it can be guessed or cannot stand in a header
     */
    @Transactional
    public void adopt(String token, Actor who) {
        if (!GIVEN.matcher(token).matches()) {
            throw new AssayException(
                    ErrorCode.INVALID_INPUT,
                    "ASSAY_API_TOKEN must be a token of 32 to 512 visible ASCII characters, as openssl rand -hex 24"
                            + " makes it");
        }
        String hash = hash(token);
        String name = ENVIRONMENT + hash.substring(0, 8);
        if (sql.update(INSERT, name, hash, Scope.ADMIN.word(), null) > 0) {
            sql.update(REVOKE_OTHERS, ENVIRONMENT, name);
            audit.record(who, "token adopt " + name);
        }
    }

    /** The token's entry; empty when it is unknown, expired or revoked. */
    @ReadOnly
    public Optional<StoredToken> valid(String token) {
        return sql.first(VALID, TokenRepository::read, hash(token));
    }

    /** Whether anybody could come in. */
    @ReadOnly
    public boolean hasValid() {
        return sql.exists("SELECT 1 FROM api_token WHERE " + IS_VALID);
    }

    /** All there are or were, the oldest first. */
    @ReadOnly
    public List<StoredToken> all() {
        return sql.list("SELECT * FROM api_token ORDER BY created_at, name", TokenRepository::read);
    }

    /**
     * Refuses a token from now on; again without effect.
     *
     * @throws AssayException NOT_FOUND when there is none of this name
     */
    @Transactional
    public void revoke(String name, Actor who) {
        if (!sql.exists("SELECT 1 FROM api_token WHERE name = ? FOR UPDATE", name)) {
            throw new AssayException(ErrorCode.NOT_FOUND, "There is no token of this name; assay token list shows all");
        }
        sql.update("UPDATE api_token SET revoked_at = coalesce(revoked_at, clock_timestamp()) WHERE name = ?", name);
        audit.record(who, "token revoke " + name);
    }

    private static StoredToken read(ResultSet row) throws SQLException {
        return new StoredToken(
                row.getString("name"),
                Scope.of(row.getString("scope")),
                Columns.instant(row, "created_at"),
                Columns.instantOrNull(row, "expires_at"),
                Columns.instantOrNull(row, "revoked_at"));
    }

    private static String hash(String token) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }
}
