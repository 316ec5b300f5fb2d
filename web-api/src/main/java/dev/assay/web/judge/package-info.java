/** The preview of what a judge would read, without a call. */
@NullMarked
package dev.assay.web.judge;

import org.jspecify.annotations.NullMarked;
