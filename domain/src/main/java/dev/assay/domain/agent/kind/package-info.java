/** The kinds of agents as they stand in documents, and their one registry. */
@NullMarked
package dev.assay.domain.agent.kind;

import org.jspecify.annotations.NullMarked;
