/** The operator's settings of providers. */
@NullMarked
package dev.assay.activities.provider.config;

import org.jspecify.annotations.NullMarked;
