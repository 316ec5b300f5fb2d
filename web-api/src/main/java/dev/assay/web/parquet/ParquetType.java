package dev.assay.web.parquet;

import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.DecimalType;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.MicroSeconds;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.StringType;
import org.apache.parquet.format.TimeUnit;
import org.apache.parquet.format.TimestampType;
import org.apache.parquet.format.Type;

/** What a column holds. */
public enum ParquetType {
    /** A {@code String}. */
    STRING(Type.BYTE_ARRAY),
    /** A {@code String} of JSON, which is a text in the file: what reads JSON as a type of its own is rare. */
    JSON(Type.BYTE_ARRAY),
    /** A {@code List} of {@code String}; empty and null are the same, an empty list. */
    STRINGS(Type.BYTE_ARRAY),
    /** A {@code Boolean}. */
    BOOLEAN(Type.BOOLEAN),
    /** An {@code Integer}. */
    INT32(Type.INT32),
    /** A {@code Long}. */
    INT64(Type.INT64),
    /** A finite {@code Double}. */
    DOUBLE(Type.DOUBLE),
    /** A {@code BigDecimal} of at most nine digits before the point. Decimals beyond the ninth are rounded half up. */
    DECIMAL(Type.INT64),
    /** An {@code Instant}, in microseconds of UTC. */
    TIMESTAMP(Type.INT64);

    /** Decimals of {@link #DECIMAL}. */
    static final int SCALE = 9;

    private static final int PRECISION = 18;

    private final Type stored;

    ParquetType(Type stored) {
        this.stored = stored;
    }

    Type stored() {
        return stored;
    }

    /** The schema of a column that may be null, or of the texts of a list. */
    SchemaElement element(String name) {
        SchemaElement element = new SchemaElement(name);
        element.setType(stored);
        element.setRepetition_type(this == STRINGS ? FieldRepetitionType.REQUIRED : FieldRepetitionType.OPTIONAL);
        switch (this) {
            case STRING, JSON, STRINGS -> {
                element.setLogicalType(LogicalType.STRING(new StringType()));
                element.setConverted_type(ConvertedType.UTF8);
            }
            case DECIMAL -> {
                element.setLogicalType(LogicalType.DECIMAL(new DecimalType(SCALE, PRECISION)));
                element.setConverted_type(ConvertedType.DECIMAL);
                element.setScale(SCALE);
                element.setPrecision(PRECISION);
            }
            case TIMESTAMP -> {
                element.setLogicalType(
                        LogicalType.TIMESTAMP(new TimestampType(true, TimeUnit.MICROS(new MicroSeconds()))));
                element.setConverted_type(ConvertedType.TIMESTAMP_MICROS);
            }
            case BOOLEAN, INT32, INT64, DOUBLE -> {
                // The stored type says all.
            }
        }
        return element;
    }
}
