/** Tests of the commands against a fake API. */
@NullMarked
package dev.assay.cli.command;

import org.jspecify.annotations.NullMarked;
