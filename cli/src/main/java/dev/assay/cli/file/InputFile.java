package dev.assay.cli.file;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Files that a user names. */
final class InputFile {

    private static final long MAX_BYTES = 64L * 1024 * 1024;

    private InputFile() {}

    /** A file that cannot be used, with a sentence that names it. */
    static final class Unreadable extends Exception {
        private static final long serialVersionUID = 1L;
        private final String sentence;

        Unreadable(String sentence) {
            super(sentence);
            this.sentence = sentence;
        }

        String sentence() {
            return sentence;
        }
    }

    /** The text of {@code file}, which must be UTF-8 and at most 64 MB. */
    static String text(Path file) throws Unreadable {
        try {
            if (Files.isDirectory(file)) {
                throw new Unreadable(file + " is a directory; name a file.");
            }
            if (Files.exists(file) && Files.size(file) > MAX_BYTES) {
                throw new Unreadable(file + " is larger than 64 MB; split it.");
            }
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (NoSuchFileException e) {
            throw new Unreadable("There is no file " + file + ".");
        } catch (AccessDeniedException e) {
            throw new Unreadable("The file " + file + " may not be read.");
        } catch (CharacterCodingException e) {
            throw new Unreadable("The file " + file + " is not UTF-8 text.");
        } catch (IOException e) {
            throw new Unreadable("The file " + file + " cannot be read: " + e.getMessage());
        }
    }
}
