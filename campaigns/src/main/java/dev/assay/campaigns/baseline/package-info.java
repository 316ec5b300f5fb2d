/** Earlier campaigns that gates look at: one answer to what is compared with what. */
@NullMarked
package dev.assay.campaigns.baseline;

import org.jspecify.annotations.NullMarked;
