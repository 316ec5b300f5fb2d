/** Who may ask the API, and the audit of what they changed. */
@NullMarked
package dev.assay.web.access;

import org.jspecify.annotations.NullMarked;
