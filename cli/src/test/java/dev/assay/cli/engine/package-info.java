/** Tests of the Temporal engines. */
@NullMarked
package dev.assay.cli.engine;

import org.jspecify.annotations.NullMarked;
