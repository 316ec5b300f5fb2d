/** The commands of {@code assay}: each binds its options and calls the API. */
@NullMarked
package dev.assay.cli.command;

import org.jspecify.annotations.NullMarked;
