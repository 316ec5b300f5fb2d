/** What goes on without a request: campaigns whose workflow is lost, and rows of campaigns that are deleted or kept for long enough. */
@NullMarked
package dev.assay.campaigns.upkeep;

import org.jspecify.annotations.NullMarked;
