package dev.assay.domain.limit;

import java.util.List;

/** A name of models, in which {@code *} stands for any text. */
public record ModelPattern(String text) {

    /** The group of a model: the text of the first pattern that matches it, or its own name where none does. */
    public static String group(String model, List<ModelPattern> patterns) {
        return patterns.stream()
                .filter(pattern -> pattern.matches(model))
                .map(ModelPattern::text)
                .findFirst()
                .orElse(model);
    }

    /** Whether {@code model} matches as a whole. Each part is looked for once, so many stars take no longer. */
    public boolean matches(String model) {
        int star = text.indexOf('*');
        if (star < 0) {
            return model.equals(text);
        }
        String last = text.substring(text.lastIndexOf('*') + 1);
        int end = model.length() - last.length();
        if (!model.startsWith(text.substring(0, star)) || !model.endsWith(last)) {
            return false;
        }
        int from = star;
        for (String part : text.substring(star, text.length() - last.length()).split("\\*", -1)) {
            int found = model.indexOf(part, from);
            if (found < 0 || found + part.length() > end) {
                return false;
            }
            from = found + part.length();
        }
        return true;
    }
}
