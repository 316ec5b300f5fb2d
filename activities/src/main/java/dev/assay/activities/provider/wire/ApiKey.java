package dev.assay.activities.provider.wire;

import dev.assay.domain.limit.KeyMark;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** A provider's key. It is never printed: its text form hides it, and {@link #redact} removes it from other texts. */
public final class ApiKey {

    private static final String HIDDEN = "[key]";
    private static final String HMAC = "HmacSHA256";

    private final String value;

    private ApiKey(String value) {
        this.value = value;
    }

    /** The key that {@code value} holds; null when it is null or blank. White space around it is not part of it. */
    public static @Nullable ApiKey of(@Nullable String value) {
        return value == null || value.isBlank() ? null : new ApiKey(value.strip());
    }

    public String value() {
        return value;
    }

    /** Whether every character can stand in an HTTP header; a key with a line break inside cannot. */
    public boolean fitsHeader() {
        return value.chars().allMatch(c -> c > ' ' && c < 0x7f);
    }

    /** {@code text} with the key taken out. */
    public String redact(String text) {
        return text.replace(value, HIDDEN);
    }

    /** Hexadecimal digits that tell it from other keys, and of which nobody can tell its value. */
    public String fingerprint(String salt) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(salt.getBytes(StandardCharsets.UTF_8), HMAC));
            byte[] hash = mac.doFinal(value.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash).substring(0, KeyMark.DIGITS);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every JDK has " + HMAC, e);
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ApiKey key && value.equals(key.value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    @Override
    public String toString() {
        return HIDDEN;
    }
}
