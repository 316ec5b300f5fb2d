package dev.assay.web.parquet;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The values of one column in one group of rows. */
final class ColumnValues {

    private static final long MICROS = 1_000_000;
    private static final int NANOS_OF_MICRO = 1_000;

    private final ParquetType type;
    private final LevelRuns repeated = new LevelRuns();
    private final LevelRuns defined = new LevelRuns();
    private final PlainBytes values = new PlainBytes();
    private int bits;
    private int bitCount;

    ColumnValues(ParquetType type) {
        this.type = type;
    }

    /** A value in the form in which it is stored: texts are UTF-8 from here on, so that their length is known. */
    static @Nullable Object stored(ParquetType type, @Nullable Object value) {
        return switch (type) {
            case STRING, JSON -> value == null ? null : utf8(value);
            case STRINGS ->
                value instanceof List<?> all
                        ? all.stream().map(ColumnValues::utf8).toList()
                        : List.of();
            case DECIMAL ->
                value instanceof BigDecimal number
                        ? (Long) number.setScale(ParquetType.SCALE, RoundingMode.HALF_UP)
                                .unscaledValue()
                                .longValueExact()
                        : null;
            case TIMESTAMP ->
                value instanceof Instant at
                        ? (Long) (at.getEpochSecond() * MICROS + at.getNano() / NANOS_OF_MICRO)
                        : null;
            case BOOLEAN, INT32, INT64, DOUBLE -> value;
        };
    }

    private static byte[] utf8(Object text) {
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** The bytes that a stored value takes, at most. */
    static int size(@Nullable Object stored) {
        return switch (stored) {
            case null -> 1;
            case byte[] text -> Integer.BYTES + 1 + text.length;
            case List<?> all -> 2 + all.stream().mapToInt(ColumnValues::size).sum();
            default -> Long.BYTES + 1;
        };
    }

    /** Adds a stored value. */
    void add(@Nullable Object stored) {
        if (stored instanceof List<?> all) {
            addList(all);
        } else {
            defined.add(stored == null ? 0 : 1);
            if (stored != null) {
                put(stored);
            }
        }
    }

    private void addList(List<?> all) {
        if (all.isEmpty()) {
            repeated.add(0);
            defined.add(0);
        }
        for (int i = 0; i < all.size(); i++) {
            repeated.add(i == 0 ? 0 : 1);
            defined.add(1);
            put(all.get(i));
        }
    }

    private void put(Object stored) {
        switch (stored) {
            case byte[] text -> {
                values.addInt(text.length);
                values.add(text, text.length);
            }
            case Integer number -> values.addInt(number);
            case Long number -> values.addLong(number);
            case Double number -> values.addLong(Double.doubleToRawLongBits(number));
            case Boolean is -> putBit(is);
            default -> throw new IllegalArgumentException("No column holds a " + stored.getClass());
        }
    }

    /** Eight to a byte, the first in the lowest bit. */
    private void putBit(boolean is) {
        bits |= (is ? 1 : 0) << bitCount++;
        if (bitCount == Byte.SIZE) {
            endBits();
        }
    }

    private void endBits() {
        values.addByte(bits);
        bits = 0;
        bitCount = 0;
    }

    /** The values as they are counted: the levels, of which a null and an empty list have one. */
    int count() {
        return defined.count();
    }

    /** Writes levels and values as one page, and begins anew. */
    void moveTo(PlainBytes page) {
        if (bitCount > 0) {
            endBits();
        }
        if (type == ParquetType.STRINGS) {
            repeated.moveTo(page);
        }
        defined.moveTo(page);
        page.add(values);
        values.clear();
    }
}
