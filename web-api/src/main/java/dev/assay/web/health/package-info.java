/** The health of the services that Assay needs. */
@NullMarked
package dev.assay.web.health;

import org.jspecify.annotations.NullMarked;
