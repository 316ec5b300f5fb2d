/** Directories as a whole. */
@NullMarked
package dev.assay.work.file;

import org.jspecify.annotations.NullMarked;
