package dev.assay.activities.tool;

import dev.assay.domain.campaignfile.CampaignDocument;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.domain.tool.ToolPolicyReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads {@code tools.yaml}, in which an operator says what tools may reach. */
public final class ToolPolicyFile {

    private ToolPolicyFile() {}

    /**
     * Reads {@code file}.
     *
     * @throws AssayException INVALID_INPUT when it cannot be read or says something else
     */
    public static ToolPolicy read(Path file) {
        try {
            return ToolPolicyReader.read(CampaignDocument.parse(Files.readString(file)));
        } catch (IOException e) {
            throw new AssayException(
                    ErrorCode.INVALID_INPUT, "The file of tools " + file + " cannot be read: " + e.getMessage());
        }
    }
}
