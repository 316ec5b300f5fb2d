/** REST for hypothesis evaluations. */
@NullMarked
package dev.assay.web.hypothesis;

import org.jspecify.annotations.NullMarked;
