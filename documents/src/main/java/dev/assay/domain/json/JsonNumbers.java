package dev.assay.domain.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BigIntegerNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;

/** One form for each number, so that {@code 1}, {@code 1.0} and {@code 1e0} are equal as trees, as text and as hash. */
public final class JsonNumbers {

    /** A number with more digits than this, or with that many zeros, is no number that a user means. */
    public static final int MAX_DIGITS = 1000;

    private JsonNumbers() {}

    /** Whether {@code number} can be written out: finite, and with at most {@value #MAX_DIGITS} digits. */
    public static boolean isReadable(JsonNode number) {
        if (number.isFloatingPointNumber() && !number.isBigDecimal() && !Double.isFinite(number.doubleValue())) {
            return false;
        }
        BigDecimal value = number.decimalValue();
        return value.precision() <= MAX_DIGITS && Math.abs((long) value.scale()) <= MAX_DIGITS;
    }

    /** Whether every number in {@code tree} is readable. Arithmetic on others takes minutes, or all memory. */
    public static boolean areReadable(JsonNode tree) {
        if (tree.isNumber()) {
            return isReadable(tree);
        }
        for (JsonNode child : tree) {
            if (!areReadable(child)) {
                return false;
            }
        }
        return true;
    }

    /** {@code value} without zeros at the end of its fraction, and never with a negative scale. */
    public static BigDecimal plain(BigDecimal value) {
        BigDecimal stripped = value.stripTrailingZeros();
        return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
    }

    /** {@code tree} with every number in the form of {@link #node}; all its numbers are readable, or it is left as it is. */
    public static JsonNode plain(JsonNode tree) {
        if (tree.isNumber()) {
            return isReadable(tree) ? node(tree.decimalValue()) : tree;
        }
        if (tree instanceof ArrayNode array) {
            ArrayNode copy = JsonNodeFactory.instance.arrayNode(array.size());
            array.forEach(item -> copy.add(plain(item)));
            return copy;
        }
        if (tree instanceof ObjectNode object) {
            ObjectNode copy = JsonNodeFactory.instance.objectNode();
            object.properties().forEach(field -> copy.set(field.getKey(), plain(field.getValue())));
            return copy;
        }
        return tree;
    }

    /** {@code value} as a node: a whole number as the smallest integer node that holds it, everything else as a decimal. */
    public static JsonNode node(BigDecimal value) {
        BigDecimal plain = plain(value);
        if (plain.scale() > 0) {
            return DecimalNode.valueOf(plain);
        }
        int bits = plain.toBigInteger().bitLength();
        if (bits < Integer.SIZE) {
            return IntNode.valueOf(plain.intValueExact());
        }
        return bits < Long.SIZE
                ? LongNode.valueOf(plain.longValueExact())
                : BigIntegerNode.valueOf(plain.toBigInteger());
    }
}
