/** The address that shows what a campaign would cost and could show. */
@NullMarked
package dev.assay.web.plan;

import org.jspecify.annotations.NullMarked;
