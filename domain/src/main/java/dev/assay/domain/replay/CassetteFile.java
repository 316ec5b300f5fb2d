package dev.assay.domain.replay;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.document.DocumentLimits;
import dev.assay.domain.document.DocumentText;
import dev.assay.domain.document.Problems;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.json.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Cassettes as text: JSON Lines, one {@link CassetteEntry} in each line, blank lines allowed. */
public final class CassetteFile {

    private static final Comparator<CassetteEntry> ORDER =
            Comparator.comparing(CassetteEntry::key).thenComparingInt(CassetteEntry::trial);

    private CassetteFile() {}

    /**
     * The cassette of {@code entries}. Its id does not depend on their order, nor on how their JSON was written. Of several
     * answers to the same question in the same trial the first is kept.
     */
    public static Cassette of(List<CassetteEntry> entries) {
        Map<Question, CassetteEntry> kept = new LinkedHashMap<>();
        entries.forEach(entry -> kept.putIfAbsent(Question.of(entry), entry));
        String content = kept.values().stream()
                .sorted(ORDER)
                .map(entry -> RequestKey.canonical(Json.mapper().valueToTree(entry)))
                .collect(Collectors.joining("\n"));
        return new Cassette(RequestKey.sha256(content), List.copyOf(kept.values()));
    }

    /** Writes {@code cassette}, a line for each entry, in their order. */
    public static String write(Cassette cassette) {
        return cassette.entries().stream()
                .map(entry -> Json.write(entry) + "\n")
                .collect(Collectors.joining());
    }

    /**
     * Reads the text of a cassette file.
     *
     * @throws AssayException INVALID_INPUT with all errors; their paths are as in {@code line 3.reply.role}
     */
    public static Cassette read(String text) {
        Problems problems = new Problems();
        List<CassetteEntry> entries = new ArrayList<>();
        Map<Question, Integer> lineOf = new HashMap<>();
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            String path = "line " + (i + 1);
            CassetteEntry entry = lines.get(i).isBlank() ? null : line(lines.get(i), path, problems);
            Integer earlier = entry == null ? null : lineOf.putIfAbsent(Question.of(entry), i + 1);
            if (earlier != null) {
                problems.add(
                        path,
                        "The line answers the same question in the same trial as line " + earlier + "; remove one.");
            } else if (entry != null) {
                entries.add(entry);
            }
        }
        if (entries.isEmpty() && problems.none()) {
            problems.add("line 1", "The cassette holds no recorded answer; record one first.");
        }
        problems.throwIfAny("cassette");
        return of(entries);
    }

    /** The entry; null: it is wrong, which was reported. */
    private static @Nullable CassetteEntry line(String line, String path, Problems problems) {
        int before = problems.count();
        try {
            JsonNode node = DocumentText.parseJsonOnly(line);
            if (!DocumentLimits.isShallow(node, path, problems)) {
                return null;
            }
            CassetteEntry entry = CassetteEntryReader.read(node, path, problems);
            DocumentLimits.check(node, path, problems);
            return problems.count() == before ? entry : null;
        } catch (AssayException e) {
            problems.add(path, "The line is not JSON: " + e.failure().message());
            return null;
        }
    }

    /** The question that an entry answers. */
    record Question(String key, int trial) {
        static Question of(CassetteEntry entry) {
            return new Question(entry.key(), entry.trial());
        }
    }
}
