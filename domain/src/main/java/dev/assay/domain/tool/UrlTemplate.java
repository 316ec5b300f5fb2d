package dev.assay.domain.tool;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An address with places such as {@code {city}} that arguments fill in, percent-encoded. What fills a place stays within it: it can
 * neither add a path segment nor leave the host.
 */
public record UrlTemplate(String text) {

    /** A place, with its name as group 1. */
    public static final Pattern PLACE = Pattern.compile("\\{([A-Za-z_][A-Za-z0-9_]{0,63})}");

    /** Characters of an address or a body once its places are filled. */
    public static final int MAX_FILLED = 1024 * 1024;

    private static final HexFormat HEX = HexFormat.of().withUpperCase();
    private static final Pattern START = Pattern.compile("https?://[^/?#{}@]+(?=[/?]|$)", Pattern.CASE_INSENSITIVE);

    /** The parts of an address that has no fragment, as RFC 3986 appendix B separates them. */
    private static final Pattern PARTS = Pattern.compile("[^:/?#]+://[^/?#]*(?<path>[^?#]*)(?:\\?.*)?", Pattern.DOTALL);

    private static final String UNRESERVED = "-._~";

    /** The problem with {@code text} as a template, as the end of a sentence; null: none. */
    public static @Nullable String problem(String text) {
        if (!START.matcher(text).lookingAt()) {
            return "must begin with http:// or https:// and a host, without user or places";
        }
        String sample = PLACE.matcher(text).replaceAll("0");
        if (sample.contains("{") || sample.contains("}")) {
            return "has a brace that is no place such as {city}";
        }
        return faultOf(sample);
    }

    private static @Nullable String faultOf(String address) {
        Matcher parts = PARTS.matcher(address);
        String path = parts.matches() ? AddressPath.problem(parts.group("path")) : null;
        if (path != null) {
            return path;
        }
        try {
            URI uri = new URI(address);
            return uri.getHost() == null || uri.getRawFragment() != null || uri.getRawUserInfo() != null
                    ? "must name a host and have neither user nor fragment"
                    : null;
        } catch (URISyntaxException e) {
            return "is no address: " + e.getReason();
        }
    }

    /** The places, in order. */
    public Set<String> places() {
        Set<String> places = new LinkedHashSet<>();
        PLACE.matcher(text).results().forEach(place -> places.add(place.group(1)));
        return places;
    }

    /** The address with every place filled by a stand-in, for comparison with an allow-list. */
    public URI sample() {
        return URI.create(PLACE.matcher(text).replaceAll("0"));
    }

    /**
     * The address for {@code arguments}.
     *
     * @throws ToolException when an argument is missing, is no text, number or truth value, or would lead elsewhere
     */
    public URI fill(JsonNode arguments) {
        String filled = filled(text, place -> encode(value(arguments, place)));
        String fault = faultOf(filled);
        if (fault != null) {
            throw new ToolException("With these arguments the address " + fault + ".");
        }
        return URI.create(filled);
    }

    /**
     * {@code template} with a text in each place.
     *
     * @throws ToolException when it gets longer than {@value #MAX_FILLED} characters
     */
    public static String filled(String template, UnaryOperator<String> values) {
        StringBuilder filled = new StringBuilder();
        Matcher place = PLACE.matcher(template);
        int from = 0;
        while (place.find()) {
            filled.append(template, from, place.start()).append(values.apply(place.group(1)));
            from = place.end();
            if (filled.length() > MAX_FILLED) {
                break;
            }
        }
        if ((long) filled.length() + template.length() - from > MAX_FILLED) {
            throw new ToolException(
                    "With these arguments the request has more than " + MAX_FILLED + " characters; send less.");
        }
        return filled.append(template, from, template.length()).toString();
    }

    private static String value(JsonNode arguments, String place) {
        JsonNode value = arguments.path(place);
        if (!value.isValueNode() || value.isNull()) {
            throw new ToolException("The argument " + place + " must be given as a text, a number or a truth value.");
        }
        String text = value.isTextual() ? value.textValue() : value.asText();
        if (text.length() > MAX_FILLED) {
            throw new ToolException(
                    "The argument " + place + " has more than " + MAX_FILLED + " characters; send less.");
        }
        return text;
    }

    /** Percent-encodes all but letters, digits, hyphen, dot, underscore and tilde (RFC 3986 section 2.3). */
    public static String encode(String value) {
        StringBuilder encoded = new StringBuilder(value.length());
        for (byte octet : value.getBytes(StandardCharsets.UTF_8)) {
            char character = (char) (octet & 0xff);
            boolean plain =
                    character < 0x80 && (Character.isLetterOrDigit(character) || UNRESERVED.indexOf(character) >= 0);
            if (plain) {
                encoded.append(character);
            } else {
                encoded.append('%').append(HEX.toHexDigits(octet));
            }
        }
        return encoded.toString();
    }
}
