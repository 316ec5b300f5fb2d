package dev.assay.domain.document;

import com.fasterxml.jackson.databind.node.TextNode;
import java.util.regex.Pattern;

/** Where a value stands in a document, written as in {@code branches[1].model}. The document itself is the empty path. */
public final class DocumentPath {

    private static final Pattern PLAIN = Pattern.compile("[\\p{L}_$][\\p{L}\\p{N}_$-]*");

    private DocumentPath() {}

    /** The field {@code name} of the object at {@code parent}; an unusual name is written as in {@code metadata["a b"]}. */
    public static String field(String parent, String name) {
        if (!PLAIN.matcher(name).matches()) {
            return parent + "[" + escaped(name) + "]";
        }
        return parent.isEmpty() ? name : parent + "." + name;
    }

    /** Item number {@code index}, from 0, of the list at {@code parent}. */
    public static String item(String parent, int index) {
        return parent + "[" + index + "]";
    }

    private static String escaped(String name) {
        return TextNode.valueOf(name).toString();
    }
}
