/** The fields {@code grader} of a campaign and of its checks. */
@NullMarked
package dev.assay.domain.campaignfile.grader;

import org.jspecify.annotations.NullMarked;
