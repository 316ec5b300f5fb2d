/** A compute process from inside, and the frames in which it and its parent talk. */
@NullMarked
package dev.assay.work.compute.process;

import org.jspecify.annotations.NullMarked;
