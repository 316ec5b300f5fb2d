package dev.assay.workflows;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import io.temporal.common.SearchAttributeKey;
import io.temporal.common.SearchAttributeUpdate;
import io.temporal.workflow.Workflow;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The prefix of every name that an installation has in Temporal, so that several share a namespace. It is added where a name is
 * handed to Temporal and nowhere else: payloads and PostgreSQL hold the names without it.
 *
 * @param value nothing, or a letter followed by at most 30 letters, digits, {@code -} and {@code _}
 */
public record NamePrefix(String value) {

    private static final Pattern ALLOWED = Pattern.compile("([A-Za-z][A-Za-z0-9_-]{0,30})?");
    private static final String BETWEEN = "-";

    /** The names as they are. */
    public static final NamePrefix NONE = new NamePrefix("");

    /**
     * Checks the value.
     *
     * @throws AssayException INVALID_INPUT when it is not allowed
     */
    public NamePrefix {
        if (!ALLOWED.matcher(value).matches()) {
            throw new AssayException(
                    ErrorCode.INVALID_INPUT,
                    "The prefix of names in Temporal (ASSAY_TEMPORAL_PREFIX) must be a letter and at most 30 letters,"
                            + " digits, - and _, not \"" + value + "\"");
        }
    }

    /** The prefix of the installation that the calling workflow belongs to, by the name of its task queue. */
    public static NamePrefix ofThisWorkflow() {
        return ofQueue(Workflow.getInfo().getTaskQueue());
    }

    /** The prefix before the name of a queue of workflows. */
    static NamePrefix ofQueue(String queue) {
        return Stream.of(TaskQueues.ORCHESTRATION, TaskQueues.EVALUATIONS)
                .map(BETWEEN::concat)
                .filter(queue::endsWith)
                .map(end -> new NamePrefix(queue.substring(0, queue.length() - end.length())))
                .findFirst()
                .orElse(NONE);
    }

    /** {@code name} with the prefix. */
    public String on(String name) {
        return value.isEmpty() ? name : value + BETWEEN + name;
    }

    /** {@code name} without the prefix; empty when it has none of this prefix. */
    public Optional<String> off(String name) {
        String before = on("");
        return name.startsWith(before) ? Optional.of(name.substring(before.length())) : Optional.empty();
    }

    /** The search attribute under its name with the prefix. */
    @SuppressWarnings("unchecked") // a key of the same kind
    public <T> SearchAttributeKey<T> on(SearchAttributeKey<T> key) {
        String name = on(key.getName());
        return (SearchAttributeKey<T>)
                switch (key.getValueType()) {
                    case INDEXED_VALUE_TYPE_KEYWORD -> SearchAttributeKey.forKeyword(name);
                    case INDEXED_VALUE_TYPE_INT -> SearchAttributeKey.forLong(name);
                    case INDEXED_VALUE_TYPE_DOUBLE -> SearchAttributeKey.forDouble(name);
                    default -> throw new IllegalArgumentException("No campaign has a " + key);
                };
    }

    /** The changes under the names with the prefix. */
    public SearchAttributeUpdate<?>[] on(SearchAttributeUpdate<?>[] updates) {
        return Arrays.stream(updates).map(this::on).toArray(SearchAttributeUpdate<?>[]::new);
    }

    private <T> SearchAttributeUpdate<T> on(SearchAttributeUpdate<T> update) {
        SearchAttributeKey<T> key = on(update.getKey());
        return update.getValue().map(key::valueSet).orElseGet(key::valueUnset);
    }
}
