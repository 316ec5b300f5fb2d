/** The account of a campaign: what every surface says of it, and the rules by which that is decided. */
@NullMarked
package dev.assay.domain.account;

import org.jspecify.annotations.NullMarked;
