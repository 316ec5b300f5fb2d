/** The address that says what a campaign would take and could show. */
@NullMarked
package dev.assay.web.plan;

import org.jspecify.annotations.NullMarked;
