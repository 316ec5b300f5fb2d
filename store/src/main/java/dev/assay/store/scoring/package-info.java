/** Scorings: which campaign's answers they judge, and the copies of these. */
@NullMarked
package dev.assay.store.scoring;

import org.jspecify.annotations.NullMarked;
