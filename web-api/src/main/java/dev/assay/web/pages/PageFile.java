package dev.assay.web.pages;

import io.micronaut.http.MediaType;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;

/** A file of the pages. */
final class PageFile {

    private static final MediaType OTHER = MediaType.of("text/plain; charset=utf-8");
    private static final Map<String, MediaType> TYPES = Map.of(
            "html", MediaType.of("text/html; charset=utf-8"),
            "js", MediaType.of("text/javascript; charset=utf-8"),
            "css", MediaType.of("text/css; charset=utf-8"),
            "svg", MediaType.of("image/svg+xml"));

    private final byte[] content;
    private final MediaType type;
    private final String tag;

    private PageFile(byte[] content, MediaType type, String tag) {
        this.content = content;
        this.type = type;
        this.tag = tag;
    }

    static PageFile of(String name, byte[] content) {
        String ending = name.substring(name.lastIndexOf('.') + 1);
        return new PageFile(content, TYPES.getOrDefault(ending, OTHER), '"' + hash(content) + '"');
    }

    /** Its bytes, which never change. */
    byte[] content() {
        return content;
    }

    /** Its media type for browsers. */
    MediaType type() {
        return type;
    }

    /** Names this content, as an ETag. */
    String tag() {
        return tag;
    }

    private static String hash(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content), 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
