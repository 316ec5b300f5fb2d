package dev.assay.activities.operator;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.document.DocumentText;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.domain.tool.ToolPolicyReader;
import dev.assay.domain.tool.ToolsFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The reader of {@code providers.yaml} and {@code tools.yaml}. An empty file has no fields. */
public final class OperatorFile {

    private OperatorFile() {}

    /**
     * The document in {@code file}.
     *
     * @throws AssayException INVALID_INPUT when the file cannot be read, MALFORMED_INPUT when it is neither YAML nor JSON
     */
    public static JsonNode read(Path file) {
        try {
            return DocumentText.parseOptional(Files.readString(file));
        } catch (IOException e) {
            throw new AssayException(
                    ErrorCode.INVALID_INPUT,
                    "The file %s cannot be read; check that it exists and is a text file in UTF-8.".formatted(file),
                    e);
        } catch (AssayException e) {
            throw new AssayException(e.code(), file + ": " + e.getMessage(), e);
        }
    }

    /**
     * The limits of tools: what they may reach and how.
     *
     * @param file the operator's file; null: tools reach nothing beyond this process
     * @throws AssayException INVALID_INPUT with every error of the file; as {@link #read}
     */
    public static ToolPolicy toolPolicy(@Nullable Path file) {
        return toolsFile(file).policy();
    }

    /** As {@link #toolPolicy}, with the operator's rules for keeping programs apart. */
    public static ToolsFile toolsFile(@Nullable Path file) {
        return file == null ? ToolsFile.NONE : ToolPolicyReader.readFile(read(file));
    }
}
