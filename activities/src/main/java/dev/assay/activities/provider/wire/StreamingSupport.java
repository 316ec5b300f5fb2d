package dev.assay.activities.provider.wire;

import dev.assay.activities.model.ModelException;
import dev.assay.domain.error.ErrorCode;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Learns how the models of a provider can be asked for a streamed answer. From its refusal on, a model that refuses one way is
 * asked in the next one, as with {@link ThinkingSupport}.
 */
final class StreamingSupport {

    private static final Logger log = LoggerFactory.getLogger(StreamingSupport.class);

    /** Not "upstream", of which gateways speak. */
    private static final Pattern SETTING = Pattern.compile("\\bstream(ing|ed|_options)?\\b");

    /** The ways, the best one first. */
    enum Way {
        /** The last event says the usage. */
        WITH_USAGE,
        /** The usage is unknown: the endpoint does not know {@code stream_options}. */
        WITHOUT_USAGE,
        /** The answer comes whole: the endpoint does not stream this model, or not for this key. */
        WHOLE
    }

    private final String provider;
    private final Map<String, Way> ways = new ConcurrentHashMap<>();

    StreamingSupport(String provider) {
        this.provider = provider;
    }

    Way of(String model) {
        return ways.getOrDefault(model, Way.WITH_USAGE);
    }

    /** Whether {@code failure} refuses to stream in this way. If so, the model is asked in another way from now on. */
    boolean refused(String model, Way way, ModelException failure) {
        String words = failure.failure().message();
        boolean isMeant = SETTING.matcher(words).find();
        if (failure.failure().code() != ErrorCode.PROVIDER_REJECTED || way == Way.WHOLE || !isMeant) {
            return false;
        }
        Way next = words.contains("stream_options") && way == Way.WITH_USAGE ? Way.WITHOUT_USAGE : Way.WHOLE;
        ways.put(model, next);
        log.warn(
                "Model {} of provider {} cannot be asked to stream {}.",
                model,
                provider,
                next == Way.WHOLE ? "its answers" : "its usage: what its streamed answers use is not known");
        return true;
    }
}
