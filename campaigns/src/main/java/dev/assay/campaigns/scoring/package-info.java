/** Scorings: campaigns that judge stored answers anew are accepted, and get their copies of the answers. */
@NullMarked
package dev.assay.campaigns.scoring;

import org.jspecify.annotations.NullMarked;
