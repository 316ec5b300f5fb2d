/** Settings of providers. */
@NullMarked
package dev.assay.domain.provider;

import org.jspecify.annotations.NullMarked;
