/** Tables as Parquet files, written row by row to a stream. Knows no campaign. */
@NullMarked
package dev.assay.web.parquet;

import org.jspecify.annotations.NullMarked;
