/** Asking models: one client per kind of provider, one classification of what goes wrong. */
@NullMarked
package dev.assay.activities.provider;

import org.jspecify.annotations.NullMarked;
