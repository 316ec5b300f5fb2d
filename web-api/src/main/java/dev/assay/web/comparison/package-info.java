/** The address that compares two campaigns, or two branches of one. */
@NullMarked
package dev.assay.web.comparison;

import org.jspecify.annotations.NullMarked;
