/** Tests of the parts of the model proxy. */
@NullMarked
package dev.assay.activities.proxy;

import org.jspecify.annotations.NullMarked;
