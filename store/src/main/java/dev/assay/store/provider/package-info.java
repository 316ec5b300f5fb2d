/** Which providers the workers that are alive can ask. */
@NullMarked
package dev.assay.store.provider;

import org.jspecify.annotations.NullMarked;
