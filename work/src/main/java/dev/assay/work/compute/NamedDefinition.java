package dev.assay.work.compute;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A definition of users on its way to a compute process, which keeps it under a short name.
 *
 * @param hash its name: SHA-256 of the text, in hexadecimal
 */
public record NamedDefinition(String text, String hash) {

    /** The definition with this text. */
    public static NamedDefinition of(String text) {
        return new NamedDefinition(text, hash(text));
    }

    /** SHA-256 of a text, in hexadecimal. */
    public static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256", e);
        }
    }
}
