package dev.assay.domain.results.form;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What a user must know of results, each once. */
public final class Warnings {

    private static final int MOST = 100;

    private final Set<String> sentences = new LinkedHashSet<>();

    /** Adds a sentence; more than {@value #MOST} are not kept. */
    public void add(String sentence) {
        if (sentences.size() < MOST) {
            sentences.add(sentence);
        }
    }

    public List<String> all() {
        return List.copyOf(sentences);
    }
}
