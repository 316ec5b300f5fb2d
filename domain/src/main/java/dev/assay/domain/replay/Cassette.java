package dev.assay.domain.replay;

import java.util.List;

/**
 * Recorded answers that replay agents give.
 *
 * @param id SHA-256 of the content, in hexadecimal
 * @param entries at most one per key and trial
 */
public record Cassette(String id, List<CassetteEntry> entries) {

    public Cassette {
        entries = List.copyOf(entries);
    }
}
