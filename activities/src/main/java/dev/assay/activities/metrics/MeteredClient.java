package dev.assay.activities.metrics;

import dev.assay.activities.model.AnswerListener;
import dev.assay.activities.model.CallFailedException;
import dev.assay.activities.model.ModelClient;
import dev.assay.activities.model.ModelReply;
import dev.assay.activities.model.ModelRequest;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.limit.answer.Refusal;
import org.jspecify.annotations.Nullable;

/** Counts each request, whatever its result. */
public record MeteredClient(ModelClient client, String provider, WorkerMetrics metrics) implements ModelClient {

    /** One request. */
    private interface Call {
        ModelReply make() throws InterruptedException;
    }

    @Override
    public ModelReply ask(ModelRequest request) throws InterruptedException {
        return counted(() -> client.ask(request));
    }

    @Override
    public ModelReply ask(ModelRequest request, AnswerListener listener) throws InterruptedException {
        return counted(() -> client.ask(request, listener));
    }

    private void refused(@Nullable Refusal refusal) {
        if (refusal != null) {
            metrics.refused(provider, refusal);
        }
    }

    private ModelReply counted(Call call) throws InterruptedException {
        long began = System.nanoTime();
        @Nullable ErrorCode failure = ErrorCode.INTERNAL;
        try {
            ModelReply reply = call.make();
            failure = null;
            metrics.answered(provider, reply.measured());
            return reply;
        } catch (CallFailedException e) {
            failure = e.failure().code();
            refused(e.sign().refusal());
            throw e;
        } catch (InterruptedException e) {
            failure = ErrorCode.CANCELLED;
            throw e;
        } finally {
            metrics.called(provider, failure, System.nanoTime() - began);
        }
    }
}
