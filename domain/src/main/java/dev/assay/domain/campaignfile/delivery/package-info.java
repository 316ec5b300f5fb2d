/** The fields {@code delivery} and {@code deadline} of campaigns, branches, judges and graders. */
@NullMarked
package dev.assay.domain.campaignfile.delivery;

import org.jspecify.annotations.NullMarked;
