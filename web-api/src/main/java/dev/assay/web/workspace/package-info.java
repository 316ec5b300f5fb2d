/** Uploads of directories that programs work on copies of. */
@NullMarked
package dev.assay.web.workspace;

import org.jspecify.annotations.NullMarked;
