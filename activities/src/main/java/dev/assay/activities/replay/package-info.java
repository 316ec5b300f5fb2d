/** Clients that ask nobody: recorded answers, and scripts. */
@NullMarked
package dev.assay.activities.replay;

import org.jspecify.annotations.NullMarked;
