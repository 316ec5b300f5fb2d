/** Tests of {@code dev.assay.campaigns.result}. */
@NullMarked
package dev.assay.campaigns.result;

import org.jspecify.annotations.NullMarked;
