package dev.assay.activities.command;

import dev.assay.work.archive.Unpacking;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An unpacked workspace, and a file beside its files that says how large it is and when it was last used. It is moved into its place
 * and out of it as a whole.
 *
 * @param about its bytes on disk and an id of its own, which another copy in the same place does not have
 * @param used when it was used last
 */
record KeptWorkspace(Path place, String about, Instant used) {

    private static final String ABOUT = "about";
    private static final Pattern FORM = Pattern.compile("([0-9]{1,18}) [0-9a-f-]{36}");

    /** Describes the files that were unpacked into {@code directory}. */
    static void describe(Path directory, long bytes) throws IOException {
        Files.writeString(directory.resolve(ABOUT), bytes + " " + UUID.randomUUID());
    }

    /** The workspace at {@code place}; null: there is none, or a part that a crash of the machine left. */
    static @Nullable KeptWorkspace at(Path place) throws IOException {
        Path file = place.resolve(ABOUT);
        try {
            String about = Files.readString(file);
            return FORM.matcher(about).matches()
                    ? new KeptWorkspace(
                            place, about, Files.getLastModifiedTime(file).toInstant())
                    : null;
        } catch (NoSuchFileException _) {
            return null;
        }
    }

    /** Whether it is still in its place. What was read of it while it was not may be a part. */
    boolean isThere() throws IOException {
        KeptWorkspace there = at(place);
        return there != null && there.about.equals(about);
    }

    Path files() {
        return Unpacking.files(place);
    }

    /** About how much of the disk it takes. */
    long bytes() {
        return Long.parseLong(about.substring(0, about.indexOf(' ')));
    }

    /** Makes it the one that was used last. */
    void touch() throws IOException {
        Files.setLastModifiedTime(place.resolve(ABOUT), FileTime.from(Instant.now()));
    }
}
