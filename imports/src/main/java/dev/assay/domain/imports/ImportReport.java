package dev.assay.domain.imports;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.document.Problems;
import dev.assay.domain.error.FieldError;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The findings of a reader of another tool's file, each with its path in that file, and each path once. */
public final class ImportReport {

    private static final int MOST_COUNTED = 1_000_000;

    private final Problems errors = new Problems();
    private final Problems unmapped = new Problems();
    private final Problems notes = new Problems();
    private final Map<LostPart, Integer> lost = new EnumMap<>(LostPart.class);
    private final NavigableSet<String> lostSettings = new TreeSet<>();
    private final CodePlaces code = new CodePlaces();

    /** Notes an error. */
    public void error(String path, String message) {
        add(errors, path, message);
    }

    /** Notes a part that changes answers or verdicts and has no counterpart here. */
    public void unmapped(LostPart part, String path, String message) {
        if (add(unmapped, path, message)) {
            lost.merge(part, 1, Integer::sum);
            if (part == LostPart.SETTING) {
                lostSettings.add(path);
            }
        }
    }

    /** The path of the first setting that has no counterpart and stands at {@code path} or below it; null: there is none. */
    public @Nullable String lostSetting(String path) {
        return lostSettings.subSet(path, path + Character.MAX_VALUE).stream()
                .filter(lost -> lost.length() == path.length() || ".[".indexOf(lost.charAt(path.length())) >= 0)
                .findFirst()
                .orElse(null);
    }

    /** Writes into a campaign how much is left out where that is allowed. Checks that are left out have places of their own. */
    public void putLost(ObjectNode campaign) {
        lost.forEach((part, number) -> {
            if (part.field() != null) {
                campaign.withObjectProperty("lost").put(part.field(), Math.min(number, MOST_COUNTED));
            }
        });
    }

    /** Notes a part that is left out and changes no verdict. */
    public void note(String path, String message) {
        add(notes, path, message);
    }

    /** Notes where the code of a check, or of an object that names a language, stands in that file. */
    public void code(JsonNode owner, String path) {
        code.add(owner, path);
    }

    /** The places of own code. */
    public CodePlaces code() {
        return code;
    }

    private static boolean add(Problems problems, String path, String message) {
        if (problems.foundAt(path)) {
            return false;
        }
        problems.add(path, message);
        return true;
    }

    public List<FieldError> unmapped() {
        return unmapped.errors();
    }

    public List<FieldError> notes() {
        return notes.errors();
    }

    /**
     * Ends the import when there is an error.
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
