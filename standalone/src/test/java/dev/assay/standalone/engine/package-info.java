/** Tests of the Temporal engines. */
@NullMarked
package dev.assay.standalone.engine;

import org.jspecify.annotations.NullMarked;
