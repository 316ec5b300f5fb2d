package dev.assay.web.parquet;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A column of a table.
 *
 * @param <T> what a row is made of
 * @param type the class that its values have
 * @param value the value of a row; null: it has none
 */
public record ParquetColumn<T>(String name, ParquetType type, Function<? super T, ? extends @Nullable Object> value) {}
