/** The facts about a campaign's health. */
@NullMarked
package dev.assay.store.health;

import org.jspecify.annotations.NullMarked;
