package dev.assay.domain.access;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** The rights of a token. Each scope has those of the scopes before it. */
public enum Scope {
    /** Looks at everything, metrics included, and changes nothing. */
    READ,
    /** Submits and steers campaigns and evaluations, which may spend money. */
    RUN,
    /** Also deletes campaigns, changes limits of providers and reads the audit. */
    ADMIN;

    private static final Set<String> LOOKING = Set.of("GET", "HEAD", "OPTIONS");

    /** Requests that answer a question and store nothing. */
    private static final Set<String> QUESTIONS = Set.of("/api/v1/judge/preview", "/api/v1/campaigns/plan");

    private static final String DELETE = "DELETE";

    private static final String PATCH = "PATCH";

    private static final String CAMPAIGNS = "/api/v1/campaigns/";

    /** A label of one answer: who may say it may take it back. */
    private static final Pattern LABEL = Pattern.compile("/api/v1/campaigns/[^/]+/labels/[^/]+/[^/]+/[^/]+/?");

    /** Who may begin an import may give it up. */
    private static final Pattern IMPORT = Pattern.compile("/api/v1/imports/[^/]+/?");

    private static final String AUDIT = "/api/v1/audit";

    /**
     * The least that a request needs.
     *
     * @param path of the address, without a query
     */
    public static Scope neededFor(String method, String path) {
        // What is changed and is no campaign holds for everybody.
        boolean takesBack = method.equals(DELETE)
                && (LABEL.matcher(path).matches() || IMPORT.matcher(path).matches());
        boolean changesForAll = method.equals(PATCH) && !path.startsWith(CAMPAIGNS);
        if (plain(path).equals(AUDIT) || (method.equals(DELETE) && !takesBack) || changesForAll) {
            return ADMIN;
        }
        return LOOKING.contains(method) || isQuestion(path) ? READ : RUN;
    }

    /** Whether the address answers a question and stores nothing, whatever the method. */
    public static boolean isQuestion(String path) {
        return QUESTIONS.contains(plain(path));
    }

    private static String plain(String path) {
        return path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    /** Whether a request may change something. */
    public static boolean mayChange(String method, String path) {
        return !LOOKING.contains(method) && neededFor(method, path) != READ;
    }

    /** Whether a token of this scope may do what needs {@code needed}. */
    public boolean covers(Scope needed) {
        return compareTo(needed) >= 0;
    }

    /** The scope of a {@link #word}. */
    public static Scope of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }

    /** The word of the command line and of the store. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
