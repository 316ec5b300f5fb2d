package dev.assay.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** The printer of the answer of one branch of an evaluation, piece by piece, from the events of the evaluation. */
public final class BranchAnswer {

    private final String branch;
    private final PrintWriter out;
    private final PrintWriter err;
    private final List<String> loops = new ArrayList<>();
    private String loopId = "";

    /** Characters of the message that are printed; a message that is made again is printed again. */
    private int printed;

    /** @param branch the branch's id, or PROVIDER/MODEL of one that has none */
    public BranchAnswer(String branch, PrintWriter out, PrintWriter err) {
        this.branch = branch;
        this.out = out;
        this.err = err;
    }

    /** Takes the next event of the evaluation. */
    public void accept(JsonNode event) {
        if (event.path("type").asText().equals("ParallelLoopStart")) {
            choose(event);
        } else if (event.path("loopId").asText().equals(loopId)) {
            print(event);
        }
    }

    private void choose(JsonNode start) {
        String session = start.path("sessionId").asText() + ".";
        start.path("loopIds").forEach(loop -> loops.add(loop.asText()));
        loopId = loops.stream()
                .filter(loop -> isMeant(loop.substring(session.length(), loop.lastIndexOf('.'))))
                .findFirst()
                .orElse("");
        if (loopId.isEmpty()) {
            err.println("assay: There is no branch " + branch + " to stream; the loops are " + String.join(", ", loops)
                    + ".");
            err.flush();
        }
    }

    /** A branch without an id is named by its provider and model. */
    private boolean isMeant(String segment) {
        return segment.equals(branch) || segment.equals(branch.replaceFirst("/", "."));
    }

    private void print(JsonNode event) {
        switch (event.path("type").asText()) {
            case "MessageStart" -> {
                if (printed > 0) {
                    out.println();
                    err.println("The branch begins its answer again.");
                    err.flush();
                }
                printed = 0;
            }
            case "MessageUpdate" -> {
                if (event.path("part").asText().equals("text")
                        && event.path("offset").asInt() == printed) {
                    printed += event.path("delta").asText().length();
                    out.print(event.path("delta").asText());
                }
            }
            case "MessageEnd" -> {
                if (event.at("/message/role").asText().equals("assistant")) {
                    end(text(event.at("/message/content")));
                }
            }
            default -> {}
        }
        out.flush();
    }

    /** Prints the rest of the message, which holds what updates left out. */
    private void end(String text) {
        out.print(text.substring(Math.min(printed, text.length())));
        if (!text.isEmpty()) {
            out.println();
        }
        printed = 0;
    }

    /** The first block of text; a text instead of blocks is one. */
    private static String text(JsonNode content) {
        if (content.isTextual()) {
            return content.asText();
        }
        for (JsonNode block : content) {
            if (block.path("type").asText().equals("text")) {
                return block.path("text").asText();
            }
        }
        return "";
    }

    /** Whether what this loop said was printed. */
    public boolean printed(String selectedLoopId) {
        return !loopId.isEmpty() && loopId.equals(selectedLoopId);
    }
}
