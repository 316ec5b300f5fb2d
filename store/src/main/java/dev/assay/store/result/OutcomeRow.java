package dev.assay.store.result;

import dev.assay.domain.draw.AnswerOrigin;
import dev.assay.domain.draw.Delivered;
import dev.assay.domain.label.Label;
import dev.assay.domain.outcome.Outcome;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An outcome for people.
 *
 * @param outcome what came out; lists leave its transcript empty
 * @param trial which repetition, from 1
 * @param passed whether the trial passes on this branch; null: no evidence
 * @param passedBefore of a scoring: whether it passed in the campaign whose answers are scored; null: no evidence there, or no scoring
 * @param score how well the trial went, 0–1: what the tool says that recorded it, else the mean of its checks' scores; null: not known
 * @param selected whether the strategy chose it; null: the trial has no selection yet
 * @param warnings what the branch's loop warned of, as sentences
 * @param origin where the answer comes from
 * @param delivered the batch that brought it; null: it was asked live, or is a copy
 * @param labels what people say of it, in force, the oldest first
 * @param commands how many tools a model called; null: a program answered, whose trace tells
 */
public record OutcomeRow(
        Outcome outcome,
        String caseId,
        String branchId,
        int trial,
        @Nullable Boolean passed,
        @Nullable Boolean passedBefore,
        @Nullable Double score,
        @Nullable Boolean selected,
        List<String> warnings,
        AnswerOrigin origin,
        @Nullable Delivered delivered,
        List<Label> labels,
        @Nullable Integer commands,
        Instant finishedAt) {

    public OutcomeRow {
        warnings = List.copyOf(warnings);
        labels = List.copyOf(labels);
    }
}
