/** Results of other tools: kept until all are here, and then written as a campaign. */
@NullMarked
package dev.assay.store.imported;

import org.jspecify.annotations.NullMarked;
