/** The directories that programs work on copies of: how they are uploaded. */
@NullMarked
package dev.assay.web.workspace;

import org.jspecify.annotations.NullMarked;
