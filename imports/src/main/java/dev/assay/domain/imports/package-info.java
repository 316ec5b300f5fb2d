/** The common parts of readers of other tools' files: the files beside them, their findings, and the campaign file that they write. */
@NullMarked
package dev.assay.domain.imports;

import org.jspecify.annotations.NullMarked;
