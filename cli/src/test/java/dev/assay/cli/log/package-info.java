/** Tests of the log. */
@NullMarked
package dev.assay.cli.log;

import org.jspecify.annotations.NullMarked;
