/** The embedded PostgreSQL: its binaries, its data directory and the supervised server process. */
@NullMarked
package dev.assay.cli.postgres;

import org.jspecify.annotations.NullMarked;
