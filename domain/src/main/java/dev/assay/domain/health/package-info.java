/** Why a campaign waits, from facts that the store and the engine know. */
@NullMarked
package dev.assay.domain.health;

import org.jspecify.annotations.NullMarked;
