/** The port to models: a request, a reply, what can go wrong. */
@NullMarked
package dev.assay.activities.model;

import org.jspecify.annotations.NullMarked;
