/** What goes on without a request: campaigns whose workflow is lost, and deletions that were interrupted. */
@NullMarked
package dev.assay.campaigns.upkeep;

import org.jspecify.annotations.NullMarked;
