package dev.assay.domain.text;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Removes the Markdown code block in which models like to wrap JSON, even against instructions. */
public final class CodeBlock {

    private static final Pattern PATTERN = Pattern.compile("\\s*```(?:json)?[ \\t]*\\R(.*)```\\s*", Pattern.DOTALL);

    private CodeBlock() {}

    /** {@code reply} without a code block around it, and without white space around that. */
    public static String unwrapped(String reply) {
        Matcher block = PATTERN.matcher(reply);
        return WhiteSpace.trim(block.matches() ? block.group(1) : reply);
    }
}
