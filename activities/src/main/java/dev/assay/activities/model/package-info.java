/** The port to models: a request, a reply, and failures. */
@NullMarked
package dev.assay.activities.model;

import org.jspecify.annotations.NullMarked;
