/** What changes of existing campaigns read and write: limits, cells that are opened again, loops that are ended. */
@NullMarked
package dev.assay.store.steering;

import org.jspecify.annotations.NullMarked;
