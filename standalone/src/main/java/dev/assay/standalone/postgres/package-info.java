/** The embedded PostgreSQL: its binaries, its data directory and the supervised server process. */
@NullMarked
package dev.assay.standalone.postgres;

import org.jspecify.annotations.NullMarked;
