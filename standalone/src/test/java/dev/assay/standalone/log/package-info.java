/** Tests of the log. */
@NullMarked
package dev.assay.standalone.log;

import org.jspecify.annotations.NullMarked;
