/** The Temporal engines: in this process, as a supervised dev server, or an external cluster. */
@NullMarked
package dev.assay.standalone.engine;

import org.jspecify.annotations.NullMarked;
