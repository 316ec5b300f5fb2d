package dev.assay.domain.promptfoo;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.imports.SourceFiles;
import java.util.List;
import java.util.Map;

/** Files by name; {@code *} at the end of a name stands for all that begin so. */
record MapFiles(Map<String, String> texts) implements SourceFiles {

    static final MapFiles NONE = new MapFiles(Map.of());

    @Override
    public String text(String path) {
        String text = texts.get(path);
        if (text == null) {
            throw new AssayException(ErrorCode.INVALID_INPUT, "There is no file " + path + ".");
        }
        return text;
    }

    @Override
    public List<String> matching(String path) {
        return path.endsWith("*")
                ? texts.keySet().stream()
                        .filter(name -> name.startsWith(path.substring(0, path.length() - 1)))
                        .sorted()
                        .toList()
                : List.of(path);
    }
}
