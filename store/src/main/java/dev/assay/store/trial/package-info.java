/** Planning open trials and recording selections. */
@NullMarked
package dev.assay.store.trial;

import org.jspecify.annotations.NullMarked;
