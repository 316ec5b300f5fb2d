package dev.assay.domain.markup;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The XML elements that stand somewhere in a text: those whose end tag is there, too. */
public final class EmbeddedXml {

    private final String text;
    /** Elements that are open, the innermost first. */
    private final Deque<Element> open = new ArrayDeque<>();
    /** Elements that ended, by where the one around them begins; -1: there is none. */
    private final Map<Integer, List<Element>> byParent = new LinkedHashMap<>();

    private EmbeddedXml(String text) {
        this.text = text;
    }

    private record Element(String name, int from, int to) {}

    /**
     * Whether {@code text} holds XML with all of {@code required}.
     *
     * @param required where elements must stand, as {@link XmlTree#has} takes it; all below one element, or below several that
     *     stand side by side
     */
    public static boolean holds(String text, List<String> required) {
        EmbeddedXml scan = new EmbeddedXml(text);
        scan.all();
        Collection<List<Element>> outermost = scan.outermost();
        return required.isEmpty()
                ? !outermost.isEmpty()
                : outermost.stream().flatMap(EmbeddedXml::candidates).anyMatch(element -> scan.has(element, required));
    }

    /** All siblings together, and each of them. */
    private static Stream<Element> candidates(List<Element> siblings) {
        Element together = new Element("", siblings.getFirst().from, siblings.getLast().to);
        return Stream.concat(Stream.of(together), siblings.stream());
    }

    private boolean has(Element element, List<String> required) {
        return XmlTree.of("<all>" + text.substring(element.from, element.to) + "</all>")
                .filter(tree -> required.stream().allMatch(path -> tree.has("all." + path)))
                .isPresent();
    }

    /** Siblings that are inside of no element that ended. */
    private Collection<List<Element>> outermost() {
        List<Integer> begins = byParent.values().stream()
                .flatMap(List::stream)
                .map(Element::from)
                .toList();
        Map<Integer, List<Element>> left = new LinkedHashMap<>(byParent);
        begins.forEach(left::remove);
        return left.values();
    }

    private void all() {
        int at = text.indexOf('<');
        while (at >= 0) {
            at = text.indexOf('<', Math.max(tag(at), at + 1));
        }
    }

    /** Reads the tag that begins at {@code at}; says where it ends. */
    private int tag(int at) {
        if (text.startsWith("<!--", at)) {
            return past("-->", at + 4);
        }
        if (text.startsWith("<![CDATA[", at)) {
            return past("]]>", at + 9);
        }
        if (text.startsWith("<?", at)) {
            return past("?>", at + 2);
        }
        boolean isEnd = text.startsWith("</", at);
        int nameFrom = at + (isEnd ? 2 : 1);
        int nameTo = nameEnd(nameFrom);
        int to = nameTo == nameFrom ? -1 : tagEnd(nameTo);
        if (to < 0) {
            return at + 1;
        }
        String name = text.substring(nameFrom, nameTo);
        if (isEnd) {
            ends(name, to);
        } else if (text.charAt(to - 2) == '/') {
            add(new Element(name, at, to));
        } else {
            open.push(new Element(name, at, to));
        }
        return to;
    }

    private void ends(String name, int to) {
        if (!open.isEmpty() && open.element().name.equals(name)) {
            add(new Element(name, open.pop().from, to));
        } else {
            open.clear();
        }
    }

    private void add(Element element) {
        int parent = open.isEmpty() ? -1 : open.element().from;
        byParent.computeIfAbsent(parent, _ -> new ArrayList<>()).add(element);
    }

    private int past(String end, int from) {
        int found = text.indexOf(end, from);
        return found < 0 ? text.length() : found + end.length();
    }

    private int nameEnd(int from) {
        int to = from;
        while (to < text.length() && isNameCharacter(text.charAt(to), to == from)) {
            to++;
        }
        return to;
    }

    private static boolean isNameCharacter(char c, boolean isFirst) {
        return Character.isLetter(c)
                || c == '_'
                || c == ':'
                || (!isFirst && (Character.isDigit(c) || c == '-' || c == '.'));
    }

    /** Past the {@code >} of a tag; -1: another tag begins before, or the text ends. */
    private int tagEnd(int from) {
        char quote = 0;
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quote != 0) {
                quote = c == quote ? 0 : quote;
            } else if (c == '"' || c == '\'') {
                quote = c;
            } else if (c == '<') {
                return -1;
            } else if (c == '>') {
                return i + 1;
            }
        }
        return -1;
    }
}
