package dev.assay.activities.replay;

import dev.assay.activities.call.RunnableKind;
import dev.assay.activities.model.ModelClient;
import dev.assay.activities.model.ModelException;
import dev.assay.domain.agent.ImportedAgent;
import dev.assay.domain.error.ErrorCode;
import jakarta.inject.Singleton;

/** The answers of other tools. They are on record, so nobody is asked. */
@Singleton
public final class ImportedAnswers implements RunnableKind<ImportedAgent> {

    @Override
    public Class<ImportedAgent> type() {
        return ImportedAgent.class;
    }

    @Override
    public ModelClient client(ImportedAgent agent, Asking asking) {
        throw new ModelException(
                ErrorCode.PROVIDER_REJECTED,
                agent.name().model() + " was asked by " + agent.name().provider()
                        + ": there are no other answers of it",
                null,
                null);
    }
}
