/** The kinds of agents whose answers own code gives. */
@NullMarked
package dev.assay.domain.campaignfile.code;

import org.jspecify.annotations.NullMarked;
