package dev.assay.domain.imports;

import dev.assay.domain.document.Problems;
import dev.assay.domain.error.FieldError;
import java.util.List;

/** The findings of a reader of another tool's file, each with its path in that file, and each path once. */
public final class ImportReport {

    private final Problems errors = new Problems();
    private final Problems unmapped = new Problems();
    private final Problems notes = new Problems();

    /** What is wrong. */
    public void error(String path, String message) {
        add(errors, path, message);
    }

    /** What changes verdicts, and nothing here does the same. */
    public void unmapped(String path, String message) {
        add(unmapped, path, message);
    }

    /** What is left out and changes no verdict. */
    public void note(String path, String message) {
        add(notes, path, message);
    }

    private static void add(Problems problems, String path, String message) {
        if (!problems.foundAt(path)) {
            problems.add(path, message);
        }
    }

    public List<FieldError> unmapped() {
        return unmapped.errors();
    }

    public List<FieldError> notes() {
        return notes.errors();
    }

    /**
     * Ends the import when anything is wrong.
     *
     * @param what names the file in the error
     * @param allowsUnmapped whether what has no counterpart may be left out
     * @throws dev.assay.domain.error.AssayException INVALID_INPUT with all errors
     */
    public void throwIfAny(String what, boolean allowsUnmapped) {
        Problems all = new Problems();
        errors.errors().forEach(error -> all.add(error.path(), error.message()));
        if (!allowsUnmapped) {
            unmapped.errors()
                    .forEach(error -> all.add(
                            error.path(), error.message() + " Take it out, or leave it out by --allow-unmapped."));
        }
        all.throwIfAny(what);
    }
}
