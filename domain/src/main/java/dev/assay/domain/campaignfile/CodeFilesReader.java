package dev.assay.domain.campaignfile;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.agent.AgentCommand;
import dev.assay.domain.campaign.CodeFiles;
import dev.assay.domain.campaignfile.command.CommandKind;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.TextRules;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The reader and writer of {@code code} and {@code codeEnv}: the surroundings of own code. */
final class CodeFilesReader {

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private CodeFilesReader() {}

    static CodeFiles read(FieldReader document) {
        List<String> env = document.list("codeEnv", TextRules.lineItem(AgentCommand.MAX_NAME));
        if (env.stream().anyMatch(name -> !NAME.matcher(name).matches())) {
            document.problem(
                    "codeEnv", "`codeEnv` must list names of environment variables of the worker, never values.");
        }
        if (document.has("codeInclude")) {
            document.problem(
                    "codeInclude",
                    "`codeInclude` names files of a `code` that is a directory, which the command line packs; remove"
                            + " it.");
        }
        return new CodeFiles(files(document), env);
    }

    private static @Nullable String files(FieldReader document) {
        String name = document.nullableText("code");
        if (name == null || document.isWrong("code")) {
            return null;
        }
        if (!CommandKind.isStored(name)) {
            document.problem(
                    "code",
                    "`code` must be sha256: and 64 hexadecimal digits here; a directory is read and uploaded by the"
                            + " command line only.");
            return null;
        }
        return name.substring(CommandKind.WORKSPACE_PREFIX.length());
    }

    static void write(CodeFiles code, ObjectNode document) {
        if (code.workspaceId() != null) {
            document.put("code", CommandKind.WORKSPACE_PREFIX + code.workspaceId());
        }
        code.env().forEach(name -> document.withArray("codeEnv").add(name));
    }
}
