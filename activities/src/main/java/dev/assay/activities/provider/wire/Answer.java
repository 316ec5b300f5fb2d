package dev.assay.activities.provider.wire;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP answer.
 *
 * @param headers by name, in a map that ignores the case of names
 * @param text its body; of a stream, the last event that was looked at
 * @param streamed what a complete stream has said; null: it was no stream, or holds an error
 */
record Answer(int status, Map<String, List<String>> headers, String text, Wire.@Nullable Reading streamed) {

    boolean isSuccess() {
        return status >= 200 && status <= 299;
    }
}
