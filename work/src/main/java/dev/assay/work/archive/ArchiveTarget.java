package dev.assay.work.archive;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/** The receiver of what an archive holds, while it is read. A path is segments below the top. */
interface ArchiveTarget {

    /** Keeps nothing. */
    ArchiveTarget NONE = new ArchiveTarget() {
        @Override
        public void directory(List<String> path) {
            // Only what is refused matters.
        }

        @Override
        public OutputStream file(List<String> path, boolean isExecutable) {
            return OutputStream.nullOutputStream();
        }

        @Override
        public void link(List<String> path, String target) {
            // Only what is refused matters.
        }
    };

    /** A directory, once each and after its parent, whether an entry names it or not. */
    void directory(List<String> path) throws IOException;

    /** A file, after its parent. Its content is written and closed before anything else comes. */
    OutputStream file(List<String> path, boolean isExecutable) throws IOException;

    /** A link, after all directories and files. */
    void link(List<String> path, String target) throws IOException;
}
