/** Tests of why a campaign waits. */
@NullMarked
package dev.assay.domain.health;

import org.jspecify.annotations.NullMarked;
