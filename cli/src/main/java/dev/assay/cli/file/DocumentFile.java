package dev.assay.cli.file;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.document.DocumentText;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import java.nio.file.Path;

/** YAML and JSON files that stand for themselves. */
public final class DocumentFile {

    private DocumentFile() {}

    /**
     * Reads {@code file} as a tree.
     *
     * @throws AssayException INVALID_INPUT when it is missing or unreadable, MALFORMED_INPUT when it is neither YAML nor JSON
     */
    public static JsonNode read(Path file) {
        try {
            return DocumentText.parse(InputFile.text(file));
        } catch (InputFile.Unreadable e) {
            throw new AssayException(ErrorCode.INVALID_INPUT, e.sentence(), e);
        } catch (AssayException e) {
            throw new AssayException(e.code(), file + ": " + e.getMessage(), e);
        }
    }
}
