/** Runs the commands that the documentation shows, and compares what they print. */
@NullMarked
package dev.assay.cli.tutorial;

import org.jspecify.annotations.NullMarked;
