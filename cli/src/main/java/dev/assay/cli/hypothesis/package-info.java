/** The command that scores hypotheses. */
@NullMarked
package dev.assay.cli.hypothesis;

import org.jspecify.annotations.NullMarked;
