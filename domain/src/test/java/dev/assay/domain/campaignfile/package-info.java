/** Tests of {@code dev.assay.domain.campaignfile}. */
@NullMarked
package dev.assay.domain.campaignfile;

import org.jspecify.annotations.NullMarked;
