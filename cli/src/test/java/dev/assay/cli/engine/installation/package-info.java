/** Builds and installations, on the dev server where Temporal has a say. */
@NullMarked
package dev.assay.cli.engine.installation;

import org.jspecify.annotations.NullMarked;
