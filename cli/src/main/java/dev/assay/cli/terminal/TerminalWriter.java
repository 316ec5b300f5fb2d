package dev.assay.cli.terminal;

import dev.assay.domain.text.PrintableText;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.Writer;

/** The output of commands. Texts of models, tools and files pass here, so no control character does (see {@link PrintableText}). */
public final class TerminalWriter extends PrintWriter {

    /** Prints to a stream of this process. */
    public TerminalWriter(OutputStream stream) {
        super(stream, true);
    }

    /** Prints to {@code writer}. */
    public TerminalWriter(Writer writer) {
        super(writer, true);
    }

    @Override
    public void write(int unit) {
        write(String.valueOf((char) unit));
    }

    @Override
    public void write(char[] text, int offset, int length) {
        write(new String(text, offset, length));
    }

    @Override
    public void write(String text, int offset, int length) {
        String printable = PrintableText.of(text.substring(offset, offset + length));
        super.write(printable, 0, printable.length());
    }
}
