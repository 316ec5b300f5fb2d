package dev.assay.domain.document;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Everything that was found wrong in one document, in the order in which it was found. */
public final class Problems {

    private final List<FieldError> errors = new ArrayList<>();
    private final Set<String> paths = new HashSet<>();

    /**
     * Adds an error.
     *
     * @param path where, as in {@code branches[1].model}
     * @param message one sentence: what is wrong and what to do
     */
    public void add(String path, String message) {
        errors.add(new FieldError(path, message));
        paths.add(path);
    }

    /** Whether an error was found at exactly {@code path}. */
    public boolean foundAt(String path) {
        return paths.contains(path);
    }

    public boolean none() {
        return errors.isEmpty();
    }

    public int count() {
        return errors.size();
    }

    public List<FieldError> errors() {
        return List.copyOf(errors);
    }

    /**
     * Ends the reading when anything was found.
     *
     * @param what the document, as in {@code campaign file}
     * @throws AssayException INVALID_INPUT with all errors
     */
    public void throwIfAny(String what) {
        if (errors.isEmpty()) {
            return;
        }
        FieldError first = errors.getFirst();
        String where = first.path().isEmpty() ? "" : first.path() + ": ";
        String count = errors.size() == 1 ? "an error" : errors.size() + " errors, the first";
        throw AssayException.invalid("The " + what + " has " + count + ": " + where + first.message(), errors);
    }
}
