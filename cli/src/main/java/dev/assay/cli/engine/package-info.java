/** The Temporal engines: in this process, as a supervised dev server, or an external cluster. */
@NullMarked
package dev.assay.cli.engine;

import org.jspecify.annotations.NullMarked;
