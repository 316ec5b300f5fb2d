/** Tests of commands about providers. */
@NullMarked
package dev.assay.cli.command.provider;

import org.jspecify.annotations.NullMarked;
