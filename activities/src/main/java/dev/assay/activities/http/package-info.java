/** HTTP of this worker to servers that it does not trust. */
@NullMarked
package dev.assay.activities.http;

import org.jspecify.annotations.NullMarked;
