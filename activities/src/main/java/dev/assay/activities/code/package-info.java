/** Own code of campaigns, run by processes that are kept and shared fairly. */
@NullMarked
package dev.assay.activities.code;

import org.jspecify.annotations.NullMarked;
