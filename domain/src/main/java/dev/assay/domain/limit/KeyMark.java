package dev.assay.domain.limit;

import java.util.regex.Pattern;

/**
 * A key of a provider as it may be told: its name, and a fingerprint of its value. Workers with other values have other keys.
 *
 * @param fingerprint {@value #DIGITS} hexadecimal digits, of which nobody can tell the value
 */
public record KeyMark(String provider, String name, String fingerprint) {

    /** The length of a fingerprint. */
    public static final int DIGITS = 12;

    private static final Pattern FINGERPRINT = Pattern.compile("[0-9a-f]{" + DIGITS + "}");

    public KeyMark {
        if (!FINGERPRINT.matcher(fingerprint).matches()) {
            throw new IllegalArgumentException("A fingerprint has " + DIGITS + " hexadecimal digits");
        }
    }

    /** Its name and its fingerprint: what tells it from other keys of its provider. */
    public String id() {
        return name + "/" + fingerprint;
    }
}
