/** Tests of the commands for tokens. */
@NullMarked
package dev.assay.cli.token;

import org.jspecify.annotations.NullMarked;
