/** Steering from HTTP to the model and back: everything but the command line is real. */
@NullMarked
package dev.assay.cli.steering;

import org.jspecify.annotations.NullMarked;
