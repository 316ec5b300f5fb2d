/** Access to the API, and the audit of what clients changed. */
@NullMarked
package dev.assay.web.access;

import org.jspecify.annotations.NullMarked;
