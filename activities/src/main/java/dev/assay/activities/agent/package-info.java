/** The agent loop: a conversation with a model, turn by turn, within limits. */
@NullMarked
package dev.assay.activities.agent;

import org.jspecify.annotations.NullMarked;
