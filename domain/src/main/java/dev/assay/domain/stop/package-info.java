/** Stopping early: which cells a campaign need not ask any more, since its verdict is settled or sure. Pure. */
@NullMarked
package dev.assay.domain.stop;

import org.jspecify.annotations.NullMarked;
