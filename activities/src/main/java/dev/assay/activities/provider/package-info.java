/** The providers that this worker can ask, and their clients. */
@NullMarked
package dev.assay.activities.provider;

import org.jspecify.annotations.NullMarked;
