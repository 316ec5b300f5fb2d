/** Tests of {@code dev.assay.campaigns.steering}. */
@NullMarked
package dev.assay.campaigns.steering;

import org.jspecify.annotations.NullMarked;
