/** The reader of agents of every kind, and the kinds that are models or stand for one: models, replays and scripts. */
@NullMarked
package dev.assay.domain.campaignfile.agent;

import org.jspecify.annotations.NullMarked;
