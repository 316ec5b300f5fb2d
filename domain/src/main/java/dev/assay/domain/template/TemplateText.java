package dev.assay.domain.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.hubspot.jinjava.interpret.JinjavaInterpreter;
import com.hubspot.jinjava.interpret.TemplateError;
import com.hubspot.jinjava.interpret.TemplateError.ErrorReason;
import com.hubspot.jinjava.interpret.TemplateError.ErrorType;
import dev.assay.domain.definition.Definition;
import dev.assay.domain.definition.Definitions;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.text.Excerpt;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Fills one text. */
public final class TemplateText {

    /** Vars may name vars, which may name vars: the number of rounds in which they are filled. */
    private static final int ROUNDS = 5;

    /** The variable at the beginning of an expression, or that a tag tests or loops over. */
    private static final Pattern NAMED =
            Pattern.compile("\\{\\{-?\\s*([A-Za-z_]\\w*)|\\{%-?\\s*(?:el)?if\\s+([A-Za-z_]\\w*)");

    /** A place that holds a variable and nothing else. */
    private static final Pattern PLACE = Pattern.compile("\\{\\{ *([A-Za-z_]\\w*) *}}");

    /** Words of the language, which are no names of variables. */
    private static final Set<String> RESERVED =
            Set.of("true", "false", "none", "null", "not", "and", "or", "is", "in", "if", "else", "empty");

    private static final int EXCERPT = 200;

    private TemplateText() {}

    /** Whether {@code text} has anything that is filled. */
    public static boolean isTemplate(String text) {
        return text.contains("{{") || text.contains("{%") || text.contains("{#");
    }

    /**
     * Fills {@code text}. A variable that is not there is empty.
     *
     * @param templateVars whether texts of vars are templates over the others
     * @throws AssayException INVALID_INPUT when {@code text} is no template, or takes more than it may
     */
    public static String fill(String text, Map<String, JsonNode> vars, boolean templateVars) {
        return filler(vars, templateVars).apply(text);
    }

    /**
     * Fills several texts with the same vars, as {@link #fill} does.
     *
     * @param templateVars whether texts of vars are templates over the others
     */
    public static UnaryOperator<String> filler(Map<String, JsonNode> vars, boolean templateVars) {
        Map<String, Object> values = templateVars ? filledValues(vars) : values(vars);
        return text -> isTemplate(text) ? filled(text, values) : text;
    }

    /** The texts filled, where none has more than places of vars, and no var is a template; null: more is to be computed. */
    static @Nullable List<String> fillPlaces(List<String> texts, Map<String, JsonNode> vars, boolean templateVars) {
        if (templateVars
                && vars.values().stream().anyMatch(value -> value.isTextual() && isTemplate(value.textValue()))) {
            return null;
        }
        Map<String, Object> values = values(vars);
        List<String> filled = new ArrayList<>();
        for (String text : texts) {
            String plain = isTemplate(text) ? withoutLibrary(text, values) : text;
            if (plain == null) {
                return null;
            }
            filled.add(plain);
        }
        return filled;
    }

    /** The problem with {@code text} as a template, a sentence; null: none. Every tag must be known and closed. */
    public static @Nullable String problem(String text) {
        return isTemplate(text) && !hasOnlyPlaces(text)
                ? Definitions.problem(Definition.Kind.TEMPLATE, () -> text, () -> problemHere(text))
                : null;
    }

    private static @Nullable String problemHere(String text) {
        try {
            render(text, Map.of(), JinjavaInterpreter::parse);
            return null;
        } catch (AssayException e) {
            return e.failure().message();
        }
    }

    /** The names in the places of {@code text}. */
    static List<String> places(String text) {
        return PLACE.matcher(text).results().map(place -> place.group(1)).toList();
    }

    static boolean hasOnlyPlaces(String text) {
        return !isTemplate(PLACE.matcher(text).replaceAll(place -> RESERVED.contains(place.group(1)) ? "{{" : ""));
    }

    /** The vars as templates see them. */
    private static Map<String, Object> values(Map<String, JsonNode> vars) {
        Map<String, Object> values = new LinkedHashMap<>();
        vars.forEach((name, value) -> values.put(name, TemplateValues.of(value)));
        return values;
    }

    /** The same; texts that are templates are filled as far as they name others. */
    private static Map<String, Object> filledValues(Map<String, JsonNode> vars) {
        Map<String, Object> values = values(vars);
        boolean changes = true;
        for (int round = 0; changes && round < ROUNDS; round++) {
            changes = false;
            for (Map.Entry<String, Object> entry : values.entrySet()) {
                if (entry.getValue() instanceof String text && isTemplate(text) && isKnown(text, values)) {
                    String filled = filledOrSame(text, values);
                    changes |= !filled.equals(text);
                    entry.setValue(filled);
                }
            }
        }
        return values;
    }

    /** A text that names an unknown variable is no template: code and formulas have braces, too. */
    private static boolean isKnown(String text, Map<String, Object> values) {
        Matcher named = NAMED.matcher(text);
        while (named.find()) {
            String name = named.group(1) == null ? named.group(2) : named.group(1);
            if (!values.containsKey(name)) {
                return false;
            }
        }
        return true;
    }

    private static String filledOrSame(String text, Map<String, Object> values) {
        try {
            return filled(text, values);
        } catch (AssayException e) {
            return text;
        }
    }

    private static String filled(String text, Map<String, Object> values) {
        String plain = withoutLibrary(text, values);
        if (plain != null) {
            return plain;
        }
        StringBuilder out = new StringBuilder();
        render(text, values, (interpreter, template) -> out.append(interpreter.render(template)));
        return out.toString();
    }

    /** Most templates only name variables, and there are tens of thousands of them; null: this one does more. */
    private static @Nullable String withoutLibrary(String text, Map<String, Object> values) {
        StringBuilder out = new StringBuilder();
        Matcher place = PLACE.matcher(text);
        int end = 0;
        while (place.find()) {
            String name = place.group(1);
            if (RESERVED.contains(name) || !values.containsKey(name)) {
                return null;
            }
            out.append(text, end, place.start()).append(TemplateValues.written(values.get(name)));
            end = place.end();
        }
        out.append(text, end, text.length());
        boolean isPlain = !isTemplate(PLACE.matcher(text).replaceAll("")) && out.length() <= Sandbox.MAX_OUTPUT;
        return isPlain ? out.toString() : null;
    }

    @FunctionalInterface
    private interface Use {
        Object of(JinjavaInterpreter interpreter, String template);
    }

    private static void render(String text, Map<String, Object> values, Use use) {
        JinjavaInterpreter interpreter = Sandbox.interpreter(values);
        try (var _ = JinjavaInterpreter.closeablePushCurrent(interpreter).get()) {
            use.of(interpreter, text);
        } catch (StackOverflowError e) {
            throw failure("It is nested too deeply");
        } catch (RuntimeException e) {
            throw failure(rootMessage(e));
        }
        interpreter.getErrorsCopy().stream()
                .filter(TemplateText::isError)
                .findFirst()
                .ifPresent(error -> {
                    throw failure(error.getMessage());
                });
    }

    /** Properties that are not there are empty, and a brace that nothing closes stands for itself. */
    private static boolean isError(TemplateError error) {
        boolean isHint = error.getSeverity() == ErrorType.WARNING
                && (error.getReason() == ErrorReason.UNKNOWN || "Unclosed token".equals(error.getMessage()));
        return !isHint;
    }

    private static String rootMessage(Throwable thrown) {
        Throwable root = thrown;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return String.valueOf(root.getMessage());
    }

    private static AssayException failure(String why) {
        return new AssayException(
                ErrorCode.INVALID_INPUT, "The template cannot be filled: " + Excerpt.of(why, EXCERPT) + ".");
    }
}
