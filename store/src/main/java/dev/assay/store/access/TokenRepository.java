package dev.assay.store.access;

import dev.assay.domain.access.Scope;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.store.sql.QueryRepository;
import dev.assay.store.sql.Sql;
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

    /** Begins the tokens that Assay makes. */
    static final String PREFIX = "assay_";

    private static final int SECRET_BYTES = 32;

    /** Begins the names of tokens that a server's environment brings. */
    private static final String ENVIRONMENT = "environment-";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final Pattern GIVEN = Pattern.compile("[!-~]{32,512}");

    private static final String IS_VALID =
            "revoked_at IS NULL AND (expires_at IS NULL OR expires_at > clock_timestamp())";

    private static final String SELECT =
            "SELECT name, upper(scope) AS scope, created_at, expires_at, revoked_at, revoked_by, upper(revoked_why) AS"
                    + " revoked_why FROM api_token ";

    private static final String ROTATE_OUT = """
        UPDATE api_token SET revoked_at = clock_timestamp(), revoked_by = ?, revoked_why = 'rotation'
        WHERE starts_with(name, ?) AND name <> ? AND revoked_at IS NULL RETURNING name\
        """;

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
        audit.begin(who, "token create " + name + " " + scope.word(), name);
        return token;
    }

    /**
     * Takes the administrator's token of a server's environment. Other tokens of environments are revoked, so that exactly this one is
     * valid. One that was revoked in this way before is valid again.
     *
     * @throws AssayException INVALID_INPUT when it can be guessed, cannot stand in a header, or was revoked by a person
     */
    @Transactional
    public void adopt(String token, Actor who) {
        if (!GIVEN.matcher(token).matches()) {
            throw new AssayException(
                    ErrorCode.INVALID_INPUT,
                    "ASSAY_API_TOKEN must be a token of 32 to 512 visible ASCII characters, as openssl rand -hex 24"
                            + " makes it");
        }
        lock();
        String hash = hash(token);
        String name = ENVIRONMENT + hash.substring(0, 8);
        StoredToken known = byHash(hash).orElse(null);
        if (known != null && known.revokedWhy() == Revocation.PERSON) {
            throw new AssayException(
                    ErrorCode.INVALID_INPUT,
                    "The token in ASSAY_API_TOKEN was revoked on " + known.revokedAt() + " by " + known.revokedBy()
                            + ": set another");
        }
        if (known == null ? insert(name, hash, Scope.ADMIN.word(), null) : revive(hash)) {
            audit.begin(who, "token adopt " + name, name);
        }
        revokeOthers(known == null ? name : known.name(), who);
    }

    /** Takes no token of a server's environment: those that it gave before are revoked. */
    @Transactional
    public void adoptNone(Actor who) {
        lock();
        revokeOthers("", who);
    }

    private void revokeOthers(String kept, Actor who) {
        sql.list(ROTATE_OUT, row -> row.getString("name"), who.who(), ENVIRONMENT, kept)
                .forEach(name -> audit.begin(who, "token rotate out " + name, name));
    }

    /** Two servers that start at once would not see each other's token. */
    private void lock() {
        sql.exists("SELECT pg_advisory_xact_lock(hashtextextended('tokens of environments', 0))");
    }

    @Query("""
        INSERT INTO api_token (name, token_hash, scope, expires_at)
        VALUES (:name, decode(:hash, 'hex'), :scope, clock_timestamp() + :seconds * interval '1 second')
        ON CONFLICT DO NOTHING
        """)
    abstract boolean insert(String name, String hash, String scope, @Nullable Long seconds);

    @Query("""
        UPDATE api_token SET revoked_at = NULL, revoked_by = NULL, revoked_why = NULL
        WHERE token_hash = decode(:hash, 'hex') AND revoked_why = 'rotation'
        """)
    abstract boolean revive(String hash);

    @Query(SELECT + "WHERE token_hash = decode(:hash, 'hex')")
    abstract Optional<StoredToken> byHash(String hash);

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
        if (!revoke(name, who.who())) {
            throw new AssayException(ErrorCode.NOT_FOUND, "There is no token of this name; assay token list shows all");
        }
        audit.begin(who, "token revoke " + name, name);
    }

    // A person's word outlasts a rotation: the environment does not bring the token back.
    @Query("""
        UPDATE api_token SET revoked_at = coalesce(revoked_at, clock_timestamp()), revoked_why = 'person',
            revoked_by = CASE WHEN revoked_why = 'person' THEN revoked_by ELSE :who END
        WHERE name = :name
        """)
    abstract boolean revoke(String name, String who);

    private static String hash(String token) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }
}
