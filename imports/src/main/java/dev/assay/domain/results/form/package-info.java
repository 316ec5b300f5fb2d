/** The neutral form of results, as readers of other tools write it. Pure. */
@NullMarked
package dev.assay.domain.results.form;

import org.jspecify.annotations.NullMarked;
