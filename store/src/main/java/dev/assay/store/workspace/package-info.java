/** The directories that programs work on copies of, stored under their content. */
@NullMarked
package dev.assay.store.workspace;

import org.jspecify.annotations.NullMarked;
