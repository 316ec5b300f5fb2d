/** Tests of the embedded PostgreSQL. */
@NullMarked
package dev.assay.cli.postgres;

import org.jspecify.annotations.NullMarked;
