/** The reasons why a campaign waits, from facts of the store and the engine. */
@NullMarked
package dev.assay.domain.health;

import org.jspecify.annotations.NullMarked;
