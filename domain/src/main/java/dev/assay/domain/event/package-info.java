/** The events of agents, sent as they happen. Names and fields are read by clients and never change. */
@NullMarked
package dev.assay.domain.event;

import org.jspecify.annotations.NullMarked;
