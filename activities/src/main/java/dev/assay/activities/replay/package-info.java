/** Clients that send no request: recorded answers, and scripts. */
@NullMarked
package dev.assay.activities.replay;

import org.jspecify.annotations.NullMarked;
