package dev.assay.store.access;

import dev.assay.domain.access.Scope;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.store.sql.QueryRepository;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.transaction.annotation.ReadOnly;
import io.micronaut.transaction.annotation.Transactional;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of the API. The store keeps the SHA-256 of each. A token is too long to be guessed, so that a slow hash would gain
 * nothing. The audit records who changes tokens, in the same transaction.
 */
@JdbcRepository(dialect = Dialect.POSTGRES)
public abstract class TokenRepository implements QueryRepository {

    private static final String PREFIX = "assay_";
    private static final int SECRET_BYTES = 32;

    /** Begins the names of tokens that a server's environment brings. */
    private static final String ENVIRONMENT = "environment-";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final Pattern GIVEN = Pattern.compile("[!-~]{32,512}");

    private static final String IS_VALID =
            "revoked_at IS NULL AND (expires_at IS NULL OR expires_at > clock_timestamp())";

    private static final String SELECT =
            "SELECT name, upper(scope) AS scope, created_at, expires_at, revoked_at FROM api_token ";

    private final AuditRepository audit;
    private final SecureRandom random = new SecureRandom();

    TokenRepository(AuditRepository audit) {
        this.audit = audit;
    }

    /**
     * Makes a token.
     *
     * @param name letters, digits, {@code . _ -}, at most 64
     * @param lifetime null: it does not expire
     * @param who creates it, and from where, for the audit
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
        if (!insert(name, hash(token), scope.word(), lifetime == null ? null : lifetime.toSeconds())) {
            throw new AssayException(
                    ErrorCode.CONFLICT,
                    "There is or was a token " + name + "; names are not used again: choose another");
        }
        audit.begin(who, "token create " + name + " " + scope.word());
        return token;
    }

    /**
     * Takes the administrator's token of a server's environment, and revokes the one that it gave before. A token that is known
     * already stays as it is, also revoked.
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
        if (insert(name, hash, Scope.ADMIN.word(), null)) {
            revokeOthers(ENVIRONMENT, name);
            audit.begin(who, "token adopt " + name);
        }
    }

    @Query("""
        INSERT INTO api_token (name, token_hash, scope, expires_at)
        VALUES (:name, decode(:hash, 'hex'), :scope, clock_timestamp() + :seconds * interval '1 second')
        ON CONFLICT DO NOTHING
        """)
    abstract boolean insert(String name, String hash, String scope, @Nullable Long seconds);

    @Query("""
        UPDATE api_token SET revoked_at = clock_timestamp()
        WHERE starts_with(name, :prefix) AND name <> :kept AND revoked_at IS NULL
        """)
    abstract void revokeOthers(String prefix, String kept);

    /** The token's entry; empty when it is unknown, expired or revoked. */
    @ReadOnly
    public Optional<StoredToken> valid(String token) {
        return validByHash(hash(token));
    }

    @Query(SELECT + "WHERE token_hash = decode(:hash, 'hex') AND " + IS_VALID)
    abstract Optional<StoredToken> validByHash(String hash);

    /** Whether any token is valid. */
    @ReadOnly
    @Query("SELECT EXISTS (SELECT FROM api_token WHERE " + IS_VALID + ")")
    public abstract boolean hasValid();

    /** All tokens, also revoked and expired ones, the oldest first. */
    @ReadOnly
    @Query(SELECT + "ORDER BY created_at, name")
    public abstract List<StoredToken> all();

    /**
     * Refuses a token from now on. Idempotent.
     *
     * @throws AssayException NOT_FOUND when there is none of this name
     */
    @Transactional
    public void revoke(String name, Actor who) {
        if (!revoke(name)) {
            throw new AssayException(ErrorCode.NOT_FOUND, "There is no token of this name; assay token list shows all");
        }
        audit.begin(who, "token revoke " + name);
    }

    @Query("UPDATE api_token SET revoked_at = coalesce(revoked_at, clock_timestamp()) WHERE name = :name")
    abstract boolean revoke(String name);

    private static String hash(String token) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }
}
