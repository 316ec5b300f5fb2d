package dev.assay.activities.code;

import dev.assay.domain.check.code.Interpreter;
import dev.assay.store.campaign.InterpreterRepository;
import jakarta.inject.Singleton;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records interpreters in the store. No code waits for a store that is away: the next process of the campaign records it. */
@Singleton
final class StoredInterpreters implements InterpreterRecord {

    private static final Logger LOG = LoggerFactory.getLogger(StoredInterpreters.class);

    private final InterpreterRepository interpreters;

    StoredInterpreters(InterpreterRepository interpreters) {
        this.interpreters = interpreters;
    }

    @Override
    public void used(String campaignId, Interpreter interpreter) {
        try {
            interpreters.add(campaignId, interpreter);
        } catch (RuntimeException e) {
            LOG.warn("The interpreter {} of campaign {} could not be recorded", interpreter.path(), campaignId, e);
        }
    }
}
