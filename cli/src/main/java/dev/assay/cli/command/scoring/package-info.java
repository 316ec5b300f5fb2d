/** Commands that judge stored answers anew. */
@NullMarked
package dev.assay.cli.command.scoring;

import org.jspecify.annotations.NullMarked;
