package dev.assay.activities.parrot.run;

import dev.assay.activities.call.RunnableKind;
import dev.assay.activities.model.ModelClient;
import dev.assay.activities.model.ModelReply;
import dev.assay.activities.parrot.Parrot;
import dev.assay.domain.message.Message;
import dev.assay.domain.usage.Measured;
import jakarta.inject.Singleton;

@Singleton
public final class Parrots implements RunnableKind<Parrot> {

    @Override
    public Class<Parrot> type() {
        return Parrot.class;
    }

    @Override
    public ModelClient client(Parrot agent, Asking asking) {
        String said = agent.phrase() + " " + asking.vars().get("name");
        return request -> new ModelReply(Message.assistant(said), Measured.NONE);
    }
}
