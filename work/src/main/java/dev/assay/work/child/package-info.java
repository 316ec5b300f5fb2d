/** The one place where processes are made, so that none sees the keys of this one. */
@NullMarked
package dev.assay.work.child;

import org.jspecify.annotations.NullMarked;
