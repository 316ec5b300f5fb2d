/** Tests of selection. */
@NullMarked
package dev.assay.activities.trial;

import org.jspecify.annotations.NullMarked;
