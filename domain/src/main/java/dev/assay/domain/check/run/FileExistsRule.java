package dev.assay.domain.check.run;

import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckKind;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.check.rule.Quote;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.InnerPath;
import java.util.Set;

/** A file or directory exists at {@code path}, below the directory in which the agent worked. */
public record FileExistsRule(String path) implements RunRule {

    public static final CheckKind KIND = new CheckKind(
            "file_exists", 1, Set.of("path"), FileExistsRule.class, fields -> new FileExistsRule(path(fields)));

    @Override
    public CheckKind kind() {
        return KIND;
    }

    @Override
    public Finding find(CheckInput input) {
        Set<String> files = input.evidence().files();
        if (files == null) {
            return input.evidence().stdout() != null
                    ? Finding.unscored("The files of this run are not stored.")
                    : Finding.unscored(
                            "The agent had no working directory in which " + Quote.of(path) + " could exist.");
        }
        return Finding.of(
                exists(files),
                "There is " + Quote.of(path) + " in the working directory.",
                "Expected " + Quote.of(path) + " in the working directory, but it is not there.");
    }

    @Override
    public Set<String> filesAskedFor() {
        return Set.of(path);
    }

    /** A directory is known by itself or by a file below it. */
    private boolean exists(Set<String> files) {
        String wanted = InnerPath.normal(path);
        return wanted.isEmpty()
                || files.stream()
                        .map(InnerPath::normal)
                        .anyMatch(file -> file.equals(wanted) || file.startsWith(wanted + "/"));
    }

    private static String path(FieldReader fields) {
        String path = fields.anyText("path");
        String wrong = fields.isWrong("path") ? null : InnerPath.problem(path);
        if (wrong != null) {
            fields.problem("path", "`path` " + wrong + ".");
        }
        return path;
    }
}
