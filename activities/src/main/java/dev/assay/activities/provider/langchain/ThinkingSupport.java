package dev.assay.activities.provider.langchain;

import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.agent.Thinking;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Learns which models of a provider cannot be asked to think (semantics A6: they ignore it, with a warning).
 *
 * <p>No list of models is kept: it would be wrong for compatible servers and out of date for all. A model that refuses the
 * setting is asked without it from then on.
 */
final class ThinkingSupport {

    private static final Logger log = LoggerFactory.getLogger(ThinkingSupport.class);

    private static final Pattern SETTING = Pattern.compile("reasoning[_ .]effort|reasoning|thinking");
    private static final Pattern REFUSAL = Pattern.compile(
            "not support|unsupported|unrecognized|unknown|unexpected|not permitted|extra_forbidden|not allowed|not"
                    + " available");

    /** A refusal that names one of these is about a setting beside thinking; the user must hear of it. */
    private static final Pattern OTHER_SETTING =
            Pattern.compile("temperature|top_p|top_k|max_tokens|max_completion_tokens|budget_tokens|tool_choice");

    private final String provider;
    private final Set<String> without = ConcurrentHashMap.newKeySet();

    ThinkingSupport(String provider) {
        this.provider = provider;
    }

    /** How much the model is really asked to think. */
    Thinking effective(ModelChoice choice) {
        return without.contains(choice.model()) ? Thinking.OFF : choice.thinking();
    }

    /** Whether the answer refuses the request because it asks to think. */
    boolean isRefused(Exchange exchange) {
        Exchange.Answer answer = exchange.answer();
        if (answer == null || (answer.status() != 400 && answer.status() != 422)) {
            return false;
        }
        ErrorBody error = ErrorBody.of(answer.text());
        String words = (error.message() + " " + String.join(" ", error.words())).toLowerCase(Locale.ROOT);
        return SETTING.matcher(words).find()
                && REFUSAL.matcher(words).find()
                && !OTHER_SETTING.matcher(words).find();
    }

    /** From now on the model is not asked to think. */
    void forget(String model) {
        if (without.add(model)) {
            log.warn("Model {} of provider {} cannot be asked to think; thinking is left out.", model, provider);
        }
    }
}
