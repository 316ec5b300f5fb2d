package dev.assay.domain.promptfoo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.imports.SourceFiles;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The writer of values that name a file of code, which the directory of the configuration holds. */
final class AssertCode {

    /** The files of each language; the name of a function may follow. */
    private static final Map<String, Pattern> FILES = Map.of(
            "python", Pattern.compile("file://(.+\\.py)(?::([^:/]+))?"),
            "javascript", Pattern.compile("file://(.+\\.[cm]?js)(?::([^:/]+))?"));

    private final SourceFiles files;

    AssertCode(SourceFiles files) {
        this.files = files;
    }

    /** Whether own code decides assertions of this type. */
    static boolean decides(String base) {
        return FILES.containsKey(base);
    }

    /** Whether {@code value} names a file of that language. */
    static boolean isFile(String base, String value) {
        Pattern named = FILES.get(base);
        return named != null && named.matcher(value).matches();
    }

    /**
     * Puts the file that {@code value} names into {@code check}.
     *
     * @param base the assertion's type without {@code not-}
     * @return whether {@code value} names a file of that language
     * @throws AssayException INVALID_INPUT when the file leaves the directory or cannot be read
     */
    boolean putFile(String base, String value, ObjectNode check) {
        Pattern named = FILES.get(base);
        Matcher file = named == null ? null : named.matcher(value);
        if (file == null || !file.matches()) {
            return false;
        }
        check.put("file", files.code(file.group(1)));
        if (file.group(2) != null) {
            check.put("function", file.group(2));
        }
        return true;
    }
}
