/** Builds and installations, on the dev server where Temporal has a say. */
@NullMarked
package dev.assay.standalone.engine.installation;

import org.jspecify.annotations.NullMarked;
