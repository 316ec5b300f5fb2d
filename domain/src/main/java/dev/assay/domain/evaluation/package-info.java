/** The interfaces that plugins implement: strategies of their own. */
@NullMarked
package dev.assay.domain.evaluation;

import org.jspecify.annotations.NullMarked;
