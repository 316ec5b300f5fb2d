package dev.assay.domain.check.structure;

import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckKind;
import dev.assay.domain.check.rule.CheckRule;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.check.rule.Quote;
import dev.assay.domain.document.TextRules;
import dev.assay.domain.markup.EmbeddedXml;
import dev.assay.domain.markup.XmlTree;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The response is a well-formed XML document without a document type of its own, or contains elements.
 *
 * @param requiredElements where elements must stand: names from the root on with dots between them, {@code @_name} for an
 *     attribute; null: nowhere
 * @param contains true: elements somewhere are enough; null: they are not
 */
public record XmlRule(
        @Nullable List<String> requiredElements, @Nullable Boolean contains) implements CheckRule {

    public static final CheckKind KIND = new CheckKind(
            "xml",
            1,
            Set.of("requiredElements", "contains"),
            XmlRule.class,
            fields -> new XmlRule(
                    fields.has("requiredElements") ? fields.list("requiredElements", TextRules::fullTextItem) : null,
                    Contained.read(fields)));

    /** Each outermost element is read by itself. */
    private static final int MOST_TAGS = 5_000;

    public XmlRule {
        requiredElements = requiredElements == null ? null : List.copyOf(requiredElements);
    }

    @Override
    public CheckKind kind() {
        return KIND;
    }

    @Override
    public Finding find(CheckInput input) {
        List<String> wanted = requiredElements == null ? List.of() : requiredElements;
        return contains == null ? findWhole(input.response(), wanted) : findInside(input.response(), wanted);
    }

    private static Finding findWhole(String response, List<String> wanted) {
        Optional<XmlTree> tree = XmlTree.of(response);
        if (tree.isEmpty()) {
            return Finding.failed("Expected an XML document, but found " + Quote.ofResponse(response) + ".");
        }
        List<String> missing =
                wanted.stream().filter(path -> !tree.get().has(path)).toList();
        return Finding.of(
                missing.isEmpty(),
                "The response is an XML document" + with(wanted) + ".",
                "Expected an XML document with " + Quote.of(String.join("\", \"", missing)) + ", but found "
                        + Quote.ofResponse(response) + ".");
    }

    private static Finding findInside(String response, List<String> wanted) {
        if (response.chars().filter(c -> c == '<').count() > MOST_TAGS) {
            return Finding.unscored("A response with more than " + MOST_TAGS + " tags is not searched for XML.");
        }
        return Finding.of(
                EmbeddedXml.holds(response, wanted),
                "The response contains XML" + with(wanted) + ".",
                "Expected XML" + with(wanted) + " in the response, but found " + Quote.ofResponse(response) + ".");
    }

    private static String with(List<String> wanted) {
        return wanted.isEmpty() ? "" : " with " + Quote.of(String.join("\", \"", wanted));
    }
}
