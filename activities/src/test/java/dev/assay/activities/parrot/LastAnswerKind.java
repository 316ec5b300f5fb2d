package dev.assay.activities.parrot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.campaignfile.strategy.StrategyKind;
import dev.assay.domain.document.FieldReader;
import java.util.List;

public final class LastAnswerKind implements StrategyKind<LastAnswer> {

    @Override
    public String word() {
        return LastAnswer.WORD;
    }

    @Override
    public List<String> fields() {
        return List.of("why");
    }

    @Override
    public LastAnswer read(FieldReader fields, Parts parts) {
        return new LastAnswer(fields.text("why"));
    }

    @Override
    public void write(LastAnswer strategy, ObjectNode node) {
        node.put("why", strategy.why());
    }
}
