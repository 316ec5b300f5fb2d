package dev.assay.cli.file;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.FieldError;
import java.nio.file.Path;
import java.util.List;

/** Files of hypotheses, with the cassette that they name inlined: the tree that the API takes. */
public final class HypothesisFile {

    private HypothesisFile() {}

    /**
     * Reads {@code path}, a YAML or JSON file.
     *
     * @throws AssayException INVALID_INPUT when it, or a cassette that it names, is missing or unreadable; MALFORMED_INPUT when
     *     it is neither YAML nor JSON
     */
    public static ObjectNode load(Path path) {
        if (!(DocumentFile.read(path) instanceof ObjectNode document)) {
            throw new AssayException(
                    ErrorCode.MALFORMED_INPUT, path + " must hold an object with challenger and hypotheses");
        }
        JsonNode challenger = document.path("challenger");
        if (challenger instanceof ObjectNode object && object.path("cassette").isTextual()) {
            Path cassette = path.toAbsolutePath()
                    .resolveSibling(object.path("cassette").textValue())
                    .normalize();
            try {
                object.set("cassette", JsonLines.read(cassette));
            } catch (InputFile.Unreadable e) {
                throw AssayException.invalid(
                        "The file names a file that cannot be used",
                        List.of(new FieldError("challenger.cassette", e.sentence())));
            }
        }
        return document;
    }
}
