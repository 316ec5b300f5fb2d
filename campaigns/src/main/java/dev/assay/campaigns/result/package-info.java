/** Results of campaigns, added up. */
@NullMarked
package dev.assay.campaigns.result;

import org.jspecify.annotations.NullMarked;
