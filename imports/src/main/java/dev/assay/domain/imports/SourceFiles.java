package dev.assay.domain.imports;

import dev.assay.domain.document.InnerPath;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.text.Excerpt;
import java.util.List;

/** The files around one that is imported. */
public interface SourceFiles {

    /**
     * The text of a file.
     *
     * @throws AssayException INVALID_INPUT when it leads out of what may be read, or cannot be read
     */
    String text(String path);

    /**
     * The files that a path with {@code *}, {@code ?} or {@code {a,b}} stands for, in the order of their names, each as
     * {@link #text} takes it. A path without these is itself, whether or not it is there.
     *
     * @throws AssayException INVALID_INPUT when it leads out of what may be read, or stands for too many files
     */
    List<String> matching(String path);

    /**
     * The path of a file of own code. The directory of the imported file becomes the one of the campaign's code, so it stands there
     * or below.
     *
     * @return the shortest such path
     * @throws AssayException INVALID_INPUT when it stands elsewhere, or cannot be read
     */
    default String code(String path) {
        if (InnerPath.problem(path) != null) {
            throw new AssayException(
                    ErrorCode.INVALID_INPUT,
                    "The code " + Excerpt.of(path, 200)
                            + " must stand in the directory of the file that names it, or below. Copy it there.");
        }
        var _ = text(path);
        return InnerPath.normal(path);
    }
}
