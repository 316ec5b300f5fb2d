/** Results as files for other tools, written while they are read. */
@NullMarked
package dev.assay.web.export;

import org.jspecify.annotations.NullMarked;
