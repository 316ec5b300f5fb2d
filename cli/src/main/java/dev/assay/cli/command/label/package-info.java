/** The commands that label answers, and say what labels say of evaluators. */
@NullMarked
package dev.assay.cli.command.label;

import org.jspecify.annotations.NullMarked;
