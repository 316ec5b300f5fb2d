package dev.assay.activities.proxy;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The head of a request of HTTP/1.
 *
 * @param path as it was sent, without its query
 * @param headers by name in lower case; of one that came twice the first
 * @param isLatest whether the client speaks HTTP/1.1, and so knows chunks
 */
record RequestHead(String method, String path, Map<String, String> headers, boolean isLatest) {

    /** Headers that say how long a body is or whom it is for: twice they may mean two things. */
    private static final Set<String> ONCE =
            Set.of("host", "content-length", "transfer-encoding", "authorization", "x-api-key", "content-encoding");

    private static final Pattern LINE = Pattern.compile("([A-Z]{1,20}) ([!-~]{1,4096}) HTTP/1\\.([01])");
    private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}");
    private static final Pattern VALUE = Pattern.compile("[\t -~\\x80-\\xff]*");
    private static final Pattern LENGTH = Pattern.compile("\\d{1,12}");

    RequestHead {
        headers = Map.copyOf(headers);
    }

    /**
     * The head in {@code lines}.
     *
     * @throws RefusedException when it is none of HTTP/1, or its body has no clear end
     */
    static RequestHead of(List<String> lines) throws RefusedException {
        var line = LINE.matcher(lines.getFirst());
        if (!line.matches()) {
            throw RefusedException.malformed("The request is none of HTTP/1.1.");
        }
        Map<String, String> headers = new TreeMap<>();
        for (String field : lines.subList(1, lines.size())) {
            int colon = field.indexOf(':');
            String value = field.substring(colon + 1).strip();
            if (colon < 0
                    || !NAME.matcher(field.substring(0, colon)).matches()
                    || !VALUE.matcher(value).matches()) {
                throw RefusedException.malformed("A header of the request is malformed.");
            }
            String name = field.substring(0, colon).toLowerCase(Locale.ROOT);
            if (headers.putIfAbsent(name, value) != null && ONCE.contains(name)) {
                throw RefusedException.malformed("The header " + name + " is there twice.");
            }
        }
        String path = line.group(2);
        int query = path.indexOf('?');
        RequestHead head = new RequestHead(
                line.group(1),
                query < 0 ? path : path.substring(0, query),
                headers,
                line.group(3).equals("1"));
        head.check();
        return head;
    }

    private void check() throws RefusedException {
        String encoding = header("transfer-encoding");
        String length = header("content-length");
        if (encoding != null && (length != null || !encoding.equalsIgnoreCase("chunked"))) {
            throw RefusedException.malformed("The body's length is not clear.");
        }
        if (length != null && !LENGTH.matcher(length).matches()) {
            throw RefusedException.malformed("The Content-Length is no number.");
        }
        String coding = header("content-encoding");
        if (coding != null && !coding.equalsIgnoreCase("identity")) {
            throw RefusedException.malformed("The model proxy reads no compressed bodies.");
        }
    }

    /** A header by its name in lower case; null: it is not there. */
    @Nullable
    String header(String name) {
        return headers.get(name);
    }

    /** Whether the body comes in chunks. */
    boolean isChunked() {
        return header("transfer-encoding") != null;
    }

    /** Bytes of a body that does not come in chunks. */
    long length() {
        String length = header("content-length");
        return length == null ? 0 : Long.parseLong(length);
    }

    /** Whether the client waits until it is told to send its body. */
    boolean awaitsContinue() {
        return "100-continue".equalsIgnoreCase(header("expect"));
    }

    /** Whether another request may follow on the connection. */
    boolean staysOpen() {
        String connection = header("connection");
        return isLatest
                && (connection == null || !connection.toLowerCase(Locale.ROOT).contains("close"));
    }

    /** The token of the attempt; empty: there is none. */
    String token() {
        String key = header("x-api-key");
        String bearer = header("authorization");
        if (bearer != null && bearer.regionMatches(true, 0, "Bearer ", 0, "Bearer ".length())) {
            return bearer.substring("Bearer ".length()).strip();
        }
        return key == null ? "" : key;
    }
}
