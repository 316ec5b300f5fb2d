package dev.assay.domain.fastskill;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.check.Check;
import dev.assay.domain.check.CheckReader;
import dev.assay.domain.document.DocumentLimits;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.Problems;
import dev.assay.domain.document.TomlText;
import dev.assay.domain.error.AssayException;
import java.util.List;

/** The reader of {@code checks.toml}: tables {@code [[check]]}, each with the {@code name} of its kind. */
public final class ChecksToml {

    /** Stands before each error message. */
    public static final String CODE = "EVAL_CHECKS_INVALID";

    private static final Fields FIELDS = Fields.of("checksFile", "check");

    private ChecksToml() {}

    /**
     * Reads {@code text}, which may hold no check.
     *
     * @throws AssayException INVALID_INPUT with every error, each with its path, such as {@code check[0].limit}
     */
    public static List<Check> read(String text) {
        JsonNode document;
        try {
            document = TomlText.parse(text);
        } catch (AssayException e) {
            throw new AssayException(e.code(), CODE + ": " + e.getMessage(), e);
        }
        Problems problems = new Problems();
        FieldReader fields = FieldReader.of(document, "", FIELDS, problems);
        List<Check> checks = fields.list("check", CheckReader::readFastSkill);
        DocumentLimits.check(document, "", problems);
        FastSkillErrors.throwIfAny(problems, "file of checks", path -> CODE);
        return checks;
    }
}
