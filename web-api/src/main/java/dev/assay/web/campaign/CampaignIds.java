package dev.assay.web.campaign;

import java.security.SecureRandom;
import java.text.Normalizer;
import java.util.Locale;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/** Ids that people can type: the campaign's name as a slug, then eight random characters. */
public final class CampaignIds {

    private static final int SLUG_LENGTH = 40;
    private static final int RANDOM_LENGTH = 8;

    /** Crockford's base 32 in lower case: no i, l, o, u. */
    private static final String ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

    private static final SecureRandom RANDOM = new SecureRandom();

    private CampaignIds() {}

    /** A new id for a campaign called {@code name}, at most 49 characters. */
    public static String next(String name) {
        return next(name, RANDOM);
    }

    static String next(String name, RandomGenerator random) {
        String suffix = random.ints(RANDOM_LENGTH, 0, ALPHABET.length())
                .mapToObj(i -> String.valueOf(ALPHABET.charAt(i)))
                .collect(Collectors.joining());
        return slug(name) + "-" + suffix;
    }

    private static String slug(String name) {
        String slug = Normalizer.normalize(name, Normalizer.Form.NFKD)
                .replaceAll("\\p{M}", "")
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9]+", "-");
        String cut =
                strip(strip(slug).substring(0, Math.min(SLUG_LENGTH, strip(slug).length())));
        return cut.isEmpty() ? "campaign" : cut;
    }

    private static String strip(String slug) {
        return slug.replaceAll("^-+|-+$", "");
    }
}
