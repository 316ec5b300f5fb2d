package dev.assay.store.journal;

import dev.assay.domain.draw.AnswerOrigin;
import dev.assay.domain.draw.Draw;
import dev.assay.domain.draw.DrawRecord;
import dev.assay.domain.draw.RequestName;
import java.time.Instant;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What columns hold of the draw of an answer or call. */
final class DrawColumns {

    private DrawColumns() {}

    /** The word of its source; null: it was asked for. */
    static @Nullable String source(DrawRecord draw) {
        AnswerOrigin origin = draw.origin();
        return origin == null ? null : origin.source().name();
    }

    /** The word of its way; null: live. */
    static @Nullable String delivery(DrawRecord draw) {
        return draw.delivered() == null ? null : "BATCH";
    }

    /** The batch that brought it; null: none. */
    static @Nullable String batchId(DrawRecord draw) {
        return draw.delivered() == null ? null : draw.delivered().batchId();
    }

    /** Whether its cost is assumed; null: it is not. */
    static @Nullable Boolean costAssumed(DrawRecord draw) {
        return draw.delivered() == null ? null : draw.delivered().costAssumed();
    }

    /** When it was first given; null: now. */
    static @Nullable Instant answeredAt(DrawRecord draw) {
        AnswerOrigin origin = draw.origin();
        return origin == null ? null : origin.answeredAt();
    }

    /** True: a copy whose cell was asked again after this answer; null: no. */
    static @Nullable Boolean redrawn(DrawRecord draw) {
        AnswerOrigin origin = draw.origin();
        if (origin == null || !origin.redrawn()) {
            return null;
        }
        return true;
    }

    /** A part of the name of the draw of which it is a copy; null: it is none. */
    static <V> @Nullable V ofDraw(DrawRecord draw, Function<Draw, V> value) {
        Draw origin = draw.origin() == null ? null : draw.origin().draw();
        return origin == null ? null : value.apply(origin);
    }

    /** A part of the name of what it answers; null: it cannot be reused. */
    static <V> @Nullable V ofRequest(DrawRecord draw, Function<RequestName, V> value) {
        RequestName request = draw.request();
        return request == null ? null : value.apply(request);
    }
}
