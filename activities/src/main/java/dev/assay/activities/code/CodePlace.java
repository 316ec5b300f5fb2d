package dev.assay.activities.code;

import dev.assay.activities.command.LivePrograms;
import dev.assay.domain.campaign.CodeFiles;
import java.util.List;
import java.util.Map;

/**
 * What one process can run: code of one campaign, in one language or by one program.
 *
 * @param campaignId whose globals a process holds
 * @param line what is started
 * @param stays whether a process serves many requests
 */
record CodePlace(String campaignId, LivePrograms.Line line, boolean stays) {

    /** Python reads and writes UTF-8 whatever the locale, and leaves no compiled files in a directory that is only read. */
    static final Map<String, String> VARIABLES = Map.of("PYTHONUTF8", "1", "PYTHONDONTWRITEBYTECODE", "1");

    /** The name of what runs it, for people. */
    String name() {
        return line.words().getFirst();
    }

    /** The place of {@code command}. */
    static CodePlace of(String campaignId, List<String> command, CodeFiles files, boolean stays) {
        return new CodePlace(
                campaignId, new LivePrograms.Line(command, files.workspaceId(), files.env(), VARIABLES), stays);
    }
}
