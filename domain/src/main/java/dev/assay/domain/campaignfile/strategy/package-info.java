/** The kinds of strategies as they stand in documents, their one registry, and the reader of all of them. */
@NullMarked
package dev.assay.domain.campaignfile.strategy;

import org.jspecify.annotations.NullMarked;
