package dev.assay.domain.imports;

import dev.assay.domain.error.AssayException;
import java.util.List;

/** The files beside one that is imported. Nothing outside its directory is read. */
public interface SourceFiles {

    /**
     * The text of a file.
     *
     * @throws AssayException INVALID_INPUT when it leaves the directory or cannot be read
     */
    String text(String path);

    /**
     * The files that a path with {@code *}, {@code ?} or {@code {a,b}} stands for, in the order of their names, each as
     * {@link #text} takes it. A path without these is itself, whether or not it is there.
     *
     * @throws AssayException INVALID_INPUT when it leaves the directory, or stands for too many files
     */
    List<String> matching(String path);
}
