/** The wait at the start for services that are still starting, too. */
@NullMarked
package dev.assay.standalone.start;

import org.jspecify.annotations.NullMarked;
