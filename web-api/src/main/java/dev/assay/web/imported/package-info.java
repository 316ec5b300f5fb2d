/** Results of other tools over HTTP: they are taken in, and become campaigns. */
@NullMarked
package dev.assay.web.imported;

import org.jspecify.annotations.NullMarked;
