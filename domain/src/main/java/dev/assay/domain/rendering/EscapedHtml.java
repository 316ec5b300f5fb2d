package dev.assay.domain.rendering;

import dev.assay.domain.text.PrintableText;

/** Texts of strangers within HTML: characters, and nothing else. */
final class EscapedHtml {

    private EscapedHtml() {}

    /** The text as a browser shows it literally, between tags and within quoted attributes. */
    static String of(String text) {
        String printable = PrintableText.of(text);
        StringBuilder html = new StringBuilder(printable.length() + 16);
        printable.codePoints().forEach(c -> {
            switch (c) {
                case '&' -> html.append("&amp;");
                case '<' -> html.append("&lt;");
                case '>' -> html.append("&gt;");
                case '"' -> html.append("&quot;");
                case '\'' -> html.append("&#39;");
                default ->
                    html.appendCodePoint(c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? 0xFFFD : c);
            }
        });
        return html.toString();
    }
}
