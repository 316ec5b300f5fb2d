package dev.assay.domain.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.assay.domain.json.JsonNumbers;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.resolver.CoreScalarResolver;
import org.snakeyaml.engine.v2.resolver.ScalarResolver;

/** The value of a plain word in YAML: text, number, truth value or null, by the core schema of YAML 1.2. */
final class YamlScalar {

    private static final ScalarResolver RESOLVER = new CoreScalarResolver(false);

    private YamlScalar() {}

    /** The value; null: a number with too many digits. */
    static @Nullable JsonNode read(ScalarEvent event) {
        String text = event.getValue();
        Tag tag = RESOLVER.resolve(text, event.getImplicit().canOmitTagInPlainScalar());
        if (tag.equals(Tag.NULL)) {
            return NullNode.instance;
        }
        if (tag.equals(Tag.BOOL)) {
            return BooleanNode.valueOf(text.toLowerCase(Locale.ROOT).equals("true"));
        }
        if (tag.equals(Tag.INT)) {
            return text.length() > JsonNumbers.MAX_DIGITS ? null : JsonNumbers.node(new BigDecimal(integer(text)));
        }
        return tag.equals(Tag.FLOAT) ? decimal(text) : TextNode.valueOf(text);
    }

    private static BigInteger integer(String text) {
        if (text.startsWith("0o")) {
            return new BigInteger(text.substring(2), 8);
        }
        return text.startsWith("0x") ? new BigInteger(text.substring(2), 16) : new BigInteger(text);
    }

    private static @Nullable JsonNode decimal(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        if (lower.endsWith(".nan")) {
            return DoubleNode.valueOf(Double.NaN);
        }
        if (lower.endsWith(".inf")) {
            return DoubleNode.valueOf(lower.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY);
        }
        if (text.length() > JsonNumbers.MAX_DIGITS) {
            return null;
        }
        try {
            BigDecimal value = new BigDecimal(text);
            return Math.abs((long) value.scale()) > JsonNumbers.MAX_DIGITS ? null : JsonNumbers.node(value);
        } catch (NumberFormatException exponentTooLarge) {
            return null;
        }
    }
}
