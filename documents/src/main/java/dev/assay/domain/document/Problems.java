package dev.assay.domain.document;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.text.Excerpt;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The errors of one document, in the order in which they were found. All errors are counted. Of those after the first
 * {@value #KEPT} only the number is kept, which bounds the memory for a document.
 */
public final class Problems {

    /** The number of errors that are kept. */
    public static final int KEPT = 10_000;

    /** With more errors than this the reading ends at once: no user reads them all, and each takes time. */
    private static final int MAX = 2_000_000;

    /** Longest path and longest message, in UTF-16 code units; longer ones end in {@code …}. */
    private static final int MAX_LENGTH = 1_000;

    private final List<FieldError> errors = new ArrayList<>();
    private final Set<String> paths = new HashSet<>();
    private String lastPath = "";
    private int count;

    /**
     * Adds an error.
     *
     * @param path where, as in {@code branches[1].model}
     * @param message one sentence: what is wrong and what to do
     * @throws AssayException INVALID_INPUT when there are more than 2,000,000
     */
    public void add(String path, String message) {
        ReadingSteps.step();
        addUnseen(1);
        lastPath = path;
        if (count <= KEPT) {
            errors.add(new FieldError(shortened(path), shortened(message)));
            if (path.length() <= MAX_LENGTH) {
                paths.add(path);
            }
        }
    }

    private static String shortened(String text) {
        return text.length() > MAX_LENGTH ? Excerpt.of(text, MAX_LENGTH) : text;
    }

    /** Counts {@code more} errors about which nothing is kept. */
    void addUnseen(int more) {
        count += more;
        if (count > MAX) {
            throwIfAny("document");
        }
    }

    /** Whether another error would not be kept: it need not be worded. */
    public boolean isFull() {
        return count >= KEPT;
    }

    /** Whether an error was found at exactly {@code path}. Of long paths, and of errors that are not kept, only the last is known. */
    public boolean foundAt(String path) {
        return count > 0 && (path.equals(lastPath) || paths.contains(path));
    }

    public boolean none() {
        return count == 0;
    }

    /** The number of errors, those that are not kept included. */
    public int count() {
        return count;
    }

    /** The first errors, at most {@value #KEPT}. */
    public List<FieldError> errors() {
        return List.copyOf(errors);
    }

    /**
     * Ends the reading when there is an error.
     *
     * @param what the document, as in {@code campaign file}
     * @throws AssayException INVALID_INPUT with the errors that are kept and the number of the others
     */
    public void throwIfAny(String what) {
        if (none()) {
            return;
        }
        FieldError first = errors.getFirst();
        String where = first.path().isEmpty() ? "" : first.path() + ": ";
        String number = count == 1 ? "an error" : count + " errors, the first";
        String message = "The " + what + " has " + number + ": " + where + first.message();
        throw AssayException.invalid(message, errors, count - errors.size());
    }
}
