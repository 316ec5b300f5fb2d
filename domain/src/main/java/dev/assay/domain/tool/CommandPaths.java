package dev.assay.domain.tool;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.document.InnerPath;
import dev.assay.domain.document.Problems;
import dev.assay.domain.document.TextRules;
import org.jspecify.annotations.Nullable;

/** The reader of lists of files of the worker's home that a program may have. */
public final class CommandPaths {

    private CommandPaths() {}

    /** Reads one; null: it is unusable, which was reported. */
    public static @Nullable String item(JsonNode node, String path, Problems problems) {
        String text = TextRules.textItem(node, path, problems);
        String wrong = text == null ? null : InnerPath.problem(text);
        if (wrong != null) {
            problems.add(path, "`" + path + "` " + wrong + ".");
            return null;
        }
        return text;
    }
}
