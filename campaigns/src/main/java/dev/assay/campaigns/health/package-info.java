/** The health of campaigns, the same wherever it is shown. */
@NullMarked
package dev.assay.campaigns.health;

import org.jspecify.annotations.NullMarked;
