package dev.assay.activities.provider.wire;

import dev.assay.activities.model.ModelException;
import dev.assay.activities.provider.wire.Wire.ThinkingForm;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.agent.Thinking;
import dev.assay.domain.error.ErrorCode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Learns the form in which each model of a provider takes the wish to think.
 *
 * <p>No list of models is kept: it would be wrong for compatible servers and out of date for all. The forms are tried in turn, and
 * the one that a model took is the first from then on. Thinking is left out only where the user calls it optional.
 */
final class ThinkingSupport {

    /** Enough for the models that a worker meets; beyond it everything is learned anew. */
    private static final int MAX_LEARNED = 1_000;

    private static final Pattern SETTING =
            Pattern.compile("reasoning|thinking|effort|output_config|encrypted|'include'");
    private static final Pattern REFUSAL = Pattern.compile(
            "not support|unsupported|unrecognized|unknown|unexpected|not permitted|extra_forbidden|not allowed|not"
                    + " available|does not match|input should be|invalid value");

    /** A refusal that names one of these is about a setting beside thinking, and the user must see it. */
    private static final Pattern OTHER_SETTING = Pattern.compile(
            "temperature|top_p|top_k|max_tokens|max_completion_tokens|max_output_tokens|budget_tokens|tool_choice"
                    + "|response_format|text\\.format|output_config\\.format|json_schema");

    private final String provider;
    private final List<ThinkingForm> known;
    private final List<ThinkingForm> plain;
    private final Map<Asked, ThinkingForm> learned = new ConcurrentHashMap<>();

    /** Models may take some levels and refuse others. */
    private record Asked(String model, Thinking thinking) {}

    ThinkingSupport(String provider, Wire wire) {
        this.provider = provider;
        this.known = wire.thinkingForms();
        this.plain = wire.plainForms();
    }

    /** The forms in which the model may be asked, in the order in which they are tried; at least one. */
    List<ThinkingForm> forms(ModelChoice choice) {
        Stream<ThinkingForm> last = choice.thinkingOptional() ? Stream.of(ThinkingForm.NONE) : Stream.empty();
        List<ThinkingForm> forms = choice.thinking() == Thinking.OFF
                ? plain
                : Stream.concat(known.stream(), last).toList();
        ThinkingForm first = learned.get(new Asked(choice.model(), choice.thinking()));
        return first == null || !forms.contains(first)
                ? forms
                : Stream.concat(Stream.of(first), forms.stream().filter(form -> form != first))
                        .toList();
    }

    /** From now on the model is asked in {@code form} first. */
    void took(ModelChoice choice, ThinkingForm form) {
        if (learned.size() > MAX_LEARNED) {
            learned.clear();
        }
        learned.put(new Asked(choice.model(), choice.thinking()), form);
    }

    /** Whether the answer refuses the request because it asks to think. */
    static boolean isRefused(Answer answer) {
        if (answer.status() != 400 && answer.status() != 422) {
            return false;
        }
        ErrorBody error = ErrorBody.of(answer.text());
        String words = (error.message() + " " + String.join(" ", error.words())).toLowerCase(Locale.ROOT);
        return SETTING.matcher(words).find()
                && REFUSAL.matcher(words).find()
                && !OTHER_SETTING.matcher(words).find();
    }

    /** The failure of a model that refuses to think in every form. */
    static ModelException refusal(ModelChoice choice, ModelException last) {
        String advice =
                " Model %s cannot be asked for `thinking: %s`; write another level, or `thinkingOptional: true`."
                        .formatted(choice.model(), choice.thinking().word());
        return new ModelException(ErrorCode.PROVIDER_REJECTED, last.failure().message() + advice, null, last);
    }

    /** The warning about an answer that was asked for in {@code form}; null: none. */
    @Nullable
    String warning(ModelChoice choice, ThinkingForm form) {
        return choice.thinking() == Thinking.OFF || form != ThinkingForm.NONE
                ? null
                : "Model %s of provider %s refuses to be asked to think: `thinking: %s` was left out."
                        .formatted(choice.model(), provider, choice.thinking().word());
    }
}
