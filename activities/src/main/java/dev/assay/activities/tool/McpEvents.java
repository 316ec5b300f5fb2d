package dev.assay.activities.tool;

import dev.assay.activities.http.Lines;
import java.io.IOException;

/** Reads the messages in the lines of a stream of events. Comments and the names of events are passed over. */
final class McpEvents implements Lines.EachLine {

    private static final String DATA = "data:";

    private final Lines.EachLine messages;
    private final StringBuilder data = new StringBuilder();

    /** @param messages takes each message */
    McpEvents(Lines.EachLine messages) {
        this.messages = messages;
    }

    @Override
    public void accept(String line) throws IOException {
        if (line.isEmpty()) {
            deliver();
        } else if (line.startsWith(DATA)) {
            data.append(line, DATA.length(), line.length()).append('\n');
            if (data.length() > McpExchange.MAX_MESSAGE * 1024 * 1024) {
                throw new IOException("An event of the answer is longer than " + McpExchange.MAX_MESSAGE + " MiB");
            }
        }
    }

    @Override
    public void end() throws IOException {
        // Of a server that leaves out the empty line after its last event.
        deliver();
    }

    private void deliver() throws IOException {
        String message = data.toString();
        data.setLength(0);
        if (!message.isBlank()) {
            messages.accept(message);
        }
    }
}
