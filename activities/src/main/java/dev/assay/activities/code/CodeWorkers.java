package dev.assay.activities.code;

import static java.util.Objects.requireNonNull;

import dev.assay.domain.check.code.CodeLanguage;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** The programs in which own code runs, one for each language. They are words of the command line: no wall hides them. */
final class CodeWorkers {

    private static final Map<CodeLanguage, List<String>> COMMANDS = Map.of(
            CodeLanguage.PYTHON,
            List.of(CodeLanguage.PYTHON.interpreter(), "-u", "-c", text("worker.py")),
            CodeLanguage.JAVASCRIPT,
            List.of(CodeLanguage.JAVASCRIPT.interpreter(), "--input-type=module", "-e", text("worker.mjs")));

    private CodeWorkers() {}

    static List<String> command(CodeLanguage language) {
        return requireNonNull(COMMANDS.get(language));
    }

    private static String text(String name) {
        try (InputStream text = CodeWorkers.class.getResourceAsStream("/code/" + name)) {
            return new String(requireNonNull(text, name).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
