package dev.assay.domain.campaignfile.agent;

import dev.assay.domain.agent.kind.CassetteField;
import dev.assay.domain.document.FieldReader;
import java.util.regex.Pattern;

/** The cassettes of a stored document, in which a cassette is named as in {@code sha256:2c26…}. */
public final class StoredCassettes implements CassetteField {

    private static final String PREFIX = "sha256:";
    private static final Pattern NAME = Pattern.compile(PREFIX + "[0-9a-f]{64}");

    @Override
    public String id(FieldReader agent) {
        String name = agent.text("cassette");
        if (NAME.matcher(name).matches()) {
            return name.substring(PREFIX.length());
        }
        agent.problem("cassette", "`cassette` must be sha256: and 64 hexadecimal digits.");
        return "";
    }

    /** The written form of the cassette {@code id}. */
    static String name(String id) {
        return PREFIX + id;
    }
}
