/** The account of campaigns, made in one place for whatever shows them. */
@NullMarked
package dev.assay.campaigns.account;

import org.jspecify.annotations.NullMarked;
