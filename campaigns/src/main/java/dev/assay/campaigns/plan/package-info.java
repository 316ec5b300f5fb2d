/** What earlier campaigns say of one that is planned. */
@NullMarked
package dev.assay.campaigns.plan;

import org.jspecify.annotations.NullMarked;
