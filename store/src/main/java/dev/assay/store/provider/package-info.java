/** The providers that live workers can ask. */
@NullMarked
package dev.assay.store.provider;

import org.jspecify.annotations.NullMarked;
