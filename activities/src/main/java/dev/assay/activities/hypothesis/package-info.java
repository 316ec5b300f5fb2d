/** The runner of challengers, which score a batch of hypotheses, and once more the invalid ones. */
@NullMarked
package dev.assay.activities.hypothesis;

import org.jspecify.annotations.NullMarked;
