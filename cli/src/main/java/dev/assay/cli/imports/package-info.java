/** The command that writes other tools' suites as campaign files. */
@NullMarked
package dev.assay.cli.imports;

import org.jspecify.annotations.NullMarked;
