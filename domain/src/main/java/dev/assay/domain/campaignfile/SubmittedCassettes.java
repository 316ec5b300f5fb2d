package dev.assay.domain.campaignfile;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.agent.kind.CassetteField;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.replay.Cassette;
import dev.assay.domain.replay.CassetteEntry;
import dev.assay.domain.replay.CassetteEntryReader;
import dev.assay.domain.replay.CassetteFile;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The cassettes of one submitted document, each once. In it a cassette is the list of its entries. */
final class SubmittedCassettes implements CassetteField {

    private final Map<String, Cassette> byId = new LinkedHashMap<>();

    @Override
    public String id(FieldReader agent) {
        JsonNode node = agent.node("cassette");
        if (node != null && node.isTextual()) {
            agent.problem(
                    "cassette",
                    "`cassette` must be the list of recorded answers here; a path to a cassette file is read by the"
                            + " command line only.");
            return "";
        }
        List<CassetteEntry> entries = agent.nonEmptyList("cassette", CassetteEntryReader::read);
        Cassette cassette = CassetteFile.of(entries);
        if (cassette.entries().size() < entries.size()) {
            agent.problem(
                    "cassette",
                    "`cassette` answers a question twice in one trial; keep one entry for each key and trial.");
        }
        byId.put(cassette.id(), cassette);
        return cassette.id();
    }

    List<Cassette> all() {
        return List.copyOf(byId.values());
    }
}
