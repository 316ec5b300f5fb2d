/** What all readers of other tools' files share: the files beside them, what they found, and the campaign file they write. */
@NullMarked
package dev.assay.domain.imports;

import org.jspecify.annotations.NullMarked;
