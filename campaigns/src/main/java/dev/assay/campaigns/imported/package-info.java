/** Results of other tools become campaigns: they are taken in, and finished in one transaction. */
@NullMarked
package dev.assay.campaigns.imported;

import org.jspecify.annotations.NullMarked;
