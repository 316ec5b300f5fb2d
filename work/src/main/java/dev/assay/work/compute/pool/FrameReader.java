package dev.assay.work.compute.pool;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import dev.assay.domain.json.Json;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The reader of one kind of frame that a compute process sends, which is untrusted.
 *
 * @param <T> the kind of frame
 */
final class FrameReader<T> {

    /** It knows the type already: to find out takes as long as to read a frame. */
    private final ObjectReader reader;

    FrameReader(TypeReference<T> type) {
        reader = Json.mapper()
                .readerFor(type)
                .with(
                        DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                        DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
                        DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    }

    /** @throws LieException when it is no such frame */
    T read(byte[] frame) throws IOException {
        try {
            @Nullable T said = reader.readValue(frame);
            if (said == null) {
                throw new LieException("It says null");
            }
            return said;
        } catch (JsonProcessingException e) {
            throw new LieException("It says what is no frame", e);
        }
    }
}
