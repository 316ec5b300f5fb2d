/** Tests of what is said of a campaign. */
@NullMarked
package dev.assay.domain.account;

import org.jspecify.annotations.NullMarked;
