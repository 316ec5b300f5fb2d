/** Records what campaigns leave in Temporal, for the replay tests of the workflows. */
@NullMarked
package dev.assay.cli.history;

import org.jspecify.annotations.NullMarked;
