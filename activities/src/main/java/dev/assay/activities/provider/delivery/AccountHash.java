package dev.assay.activities.provider.delivery;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** The accounts that answers name, as hashes that tell them apart. */
final class AccountHash {

    private AccountHash() {}

    /**
     * The SHA-256 of an account in 64 hexadecimal digits; null: the answer names none.
     *
     * @param project part of the organization; null: none is named
     */
    static @Nullable String of(@Nullable String organization, @Nullable String project) {
        if (organization == null || organization.isBlank()) {
            return null;
        }
        String account = project == null || project.isBlank() ? organization : organization + "\n" + project;
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(account.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every JDK has SHA-256", e);
        }
    }
}
