/** Tests of the embedded PostgreSQL. */
@NullMarked
package dev.assay.standalone.postgres;

import org.jspecify.annotations.NullMarked;
