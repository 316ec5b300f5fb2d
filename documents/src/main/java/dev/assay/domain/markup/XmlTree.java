package dev.assay.domain.markup;

import java.io.StringReader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * The elements and attributes of an XML document, without their text. Nothing outside of the document is read, and a document type
 * that declares something of its own is refused.
 */
public final class XmlTree {

    private static final int DEEPEST = 1_000;

    private final Element root;

    private XmlTree(Element root) {
        this.root = root;
    }

    private record Element(String name, List<Element> children) {}

    /** The tree of a well-formed document (XML 1.0 with namespaces); nothing for other text, and for one deeper than 1,000 levels. */
    public static Optional<XmlTree> of(String text) {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, true);
        try {
            XMLStreamReader reader = factory.createXMLStreamReader(new StringReader(text));
            try {
                return read(reader);
            } finally {
                reader.close();
            }
        } catch (XMLStreamException e) {
            return Optional.empty();
        }
    }

    private static Optional<XmlTree> read(XMLStreamReader reader) throws XMLStreamException {
        Element document = new Element("", new ArrayList<>());
        Deque<Element> open = new ArrayDeque<>(List.of(document));
        while (reader.hasNext()) {
            switch (reader.next()) {
                case XMLStreamConstants.DTD -> {
                    if (reader.getText() != null && reader.getText().contains("[")) {
                        return Optional.empty();
                    }
                }
                case XMLStreamConstants.START_ELEMENT -> {
                    if (open.size() > DEEPEST) {
                        return Optional.empty();
                    }
                    Element element = element(reader);
                    open.element().children.add(element);
                    open.push(element);
                }
                case XMLStreamConstants.END_ELEMENT -> open.pop();
                default -> {}
            }
        }
        return Optional.of(new XmlTree(document));
    }

    private static Element element(XMLStreamReader reader) {
        List<Element> attributes = new ArrayList<>();
        for (int i = 0; i < reader.getAttributeCount(); i++) {
            String name = named(reader.getAttributePrefix(i), reader.getAttributeLocalName(i));
            attributes.add(new Element("@_" + name, List.of()));
        }
        return new Element(named(reader.getPrefix(), reader.getLocalName()), attributes);
    }

    private static String named(String prefix, String local) {
        return prefix == null || prefix.isEmpty() ? local : prefix + ":" + local;
    }

    /**
     * Whether an element stands where {@code path} says.
     *
     * @param path names from the root on, with dots between them; {@code @_name} is an attribute. Where several elements with one
     *     name stand side by side, its number follows, from 0
     */
    public boolean has(String path) {
        List<Element> current = List.of(root);
        for (String step : path.split("\\.", -1)) {
            current = current.size() > 1 ? numbered(current, step) : named(current.getFirst(), step);
            if (current.isEmpty()) {
                return false;
            }
        }
        return true;
    }

    private static List<Element> named(Element parent, String name) {
        return parent.children.stream().filter(child -> child.name.equals(name)).toList();
    }

    private static List<Element> numbered(List<Element> elements, String step) {
        return step.matches("0|[1-9][0-9]{0,8}") && Integer.parseInt(step) < elements.size()
                ? List.of(elements.get(Integer.parseInt(step)))
                : List.of();
    }
}
