/** Tests of workers and their leases. */
@NullMarked
package dev.assay.store.worker;

import org.jspecify.annotations.NullMarked;
