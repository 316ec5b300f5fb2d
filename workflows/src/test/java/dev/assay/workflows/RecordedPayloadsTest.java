package dev.assay.workflows;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.workflows.campaign.CampaignWorkflow;
import dev.assay.workflows.campaign.PlanActivities;
import dev.assay.workflows.campaign.SteeringActivities;
import dev.assay.workflows.delivery.BatchActivities;
import dev.assay.workflows.delivery.BatchWorkflow;
import dev.assay.workflows.slice.BranchActivities;
import dev.assay.workflows.slice.ParallelEvaluationWorkflow;
import dev.assay.workflows.slice.TrialActivities;
import io.temporal.activity.ActivityMethod;
import io.temporal.api.common.v1.Payload;
import io.temporal.api.common.v1.Payloads;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.common.WorkflowExecutionHistory;
import io.temporal.common.converter.DataConverter;
import io.temporal.common.converter.DefaultDataConverter;
import io.temporal.workflow.SignalMethod;
import io.temporal.workflow.UpdateMethod;
import io.temporal.workflow.WorkflowMethod;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What crossed Temporal in a recorded run can be read by today's classes: each payload has a parameter, each parameter a payload,
 * and nothing of what was written is lost when it is written again. Replaying does not show that, since it reads no input of an
 * activity.
 */
class RecordedPayloadsTest {

    private static final DataConverter CONVERTER = DefaultDataConverter.newDefaultInstance();

    private static final List<Class<?>> INTERFACES = List.of(
            CampaignWorkflow.class,
            ParallelEvaluationWorkflow.class,
            PlanActivities.class,
            SteeringActivities.class,
            BranchActivities.class,
            TrialActivities.class,
            BatchWorkflow.class,
            BatchActivities.class);

    /** By the names that Temporal knows. */
    private static final Map<String, Method> METHODS = methods();

    private static Map<String, Method> methods() {
        Map<String, Method> methods = new HashMap<>();
        for (Class<?> type : INTERFACES) {
            for (Method method : type.getMethods()) {
                String name = name(method);
                if (!name.isEmpty()) {
                    assertThat(methods.put(kind(method) + name, method))
                            .as(name)
                            .isNull();
                }
            }
        }
        return methods;
    }

    private static String name(Method method) {
        if (method.isAnnotationPresent(ActivityMethod.class)) {
            return method.getAnnotation(ActivityMethod.class).name();
        } else if (method.isAnnotationPresent(WorkflowMethod.class)) {
            return method.getAnnotation(WorkflowMethod.class).name();
        } else if (method.isAnnotationPresent(SignalMethod.class)) {
            return method.getAnnotation(SignalMethod.class).name();
        } else if (method.isAnnotationPresent(UpdateMethod.class)) {
            return method.getAnnotation(UpdateMethod.class).name();
        }
        return "";
    }

    private static String kind(Method method) {
        return method.getDeclaringClass().getSimpleName().endsWith("Activities") ? "activity " : "workflow ";
    }

    static List<Path> histories() {
        return RecordedHistories.all();
    }

    @ParameterizedTest
    @MethodSource("histories")
    void shouldReadAndWriteAgainWhateverCrossedTemporal(Path history) throws IOException {
        Reading reading = new Reading();
        for (HistoryEvent event : events(history)) {
            reading.event(event);
        }
        assertThat(reading.read).isNotEmpty();
    }

    @Test
    void shouldFindAPayloadOfEveryMethod() throws IOException {
        Set<String> read = new TreeSet<>();
        for (Path history : histories()) {
            Reading reading = new Reading();
            for (HistoryEvent event : events(history)) {
                reading.event(event);
            }
            read.addAll(reading.read);
        }
        assertThat(read).containsExactlyInAnyOrderElementsOf(METHODS.keySet());
    }

    private static List<HistoryEvent> events(Path history) throws IOException {
        return WorkflowExecutionHistory.fromJson(Files.readString(history)).getEvents();
    }

    /** Reads the events of one history, in their order. */
    private static final class Reading {

        private final Set<String> read = new TreeSet<>();

        /** Who answers, by the number of the event that asked; an update by its id. */
        private final Map<Object, Method> asked = new HashMap<>();

        private Method started = METHODS.values().iterator().next();

        void event(HistoryEvent event) {
            switch (event.getEventType()) {
                case EVENT_TYPE_WORKFLOW_EXECUTION_STARTED -> {
                    var begin = event.getWorkflowExecutionStartedEventAttributes();
                    started = method("workflow " + begin.getWorkflowType().getName());
                    arguments(started, begin.getInput());
                }
                case EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW ->
                    arguments(
                            started,
                            event.getWorkflowExecutionContinuedAsNewEventAttributes()
                                    .getInput());
                case EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED ->
                    result(
                            started,
                            event.getWorkflowExecutionCompletedEventAttributes().getResult());
                case EVENT_TYPE_ACTIVITY_TASK_SCHEDULED -> {
                    var activity = event.getActivityTaskScheduledEventAttributes();
                    Method method =
                            method("activity " + activity.getActivityType().getName());
                    asked.put(event.getEventId(), method);
                    arguments(method, activity.getInput());
                }
                case EVENT_TYPE_ACTIVITY_TASK_COMPLETED -> {
                    var answer = event.getActivityTaskCompletedEventAttributes();
                    result(requireNonNull(asked.get(answer.getScheduledEventId())), answer.getResult());
                }
                case EVENT_TYPE_START_CHILD_WORKFLOW_EXECUTION_INITIATED -> {
                    var child = event.getStartChildWorkflowExecutionInitiatedEventAttributes();
                    Method method = method("workflow " + child.getWorkflowType().getName());
                    asked.put(event.getEventId(), method);
                    arguments(method, child.getInput());
                }
                case EVENT_TYPE_CHILD_WORKFLOW_EXECUTION_COMPLETED -> {
                    var answer = event.getChildWorkflowExecutionCompletedEventAttributes();
                    result(requireNonNull(asked.get(answer.getInitiatedEventId())), answer.getResult());
                }
                case EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED -> {
                    var signal = event.getWorkflowExecutionSignaledEventAttributes();
                    arguments(method("workflow " + signal.getSignalName()), signal.getInput());
                }
                case EVENT_TYPE_SIGNAL_EXTERNAL_WORKFLOW_EXECUTION_INITIATED -> {
                    var signal = event.getSignalExternalWorkflowExecutionInitiatedEventAttributes();
                    arguments(method("workflow " + signal.getSignalName()), signal.getInput());
                }
                case EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_ACCEPTED -> {
                    var update = event.getWorkflowExecutionUpdateAcceptedEventAttributes();
                    Method method = method(
                            "workflow " + update.getAcceptedRequest().getInput().getName());
                    asked.put(update.getAcceptedRequest().getMeta().getUpdateId(), method);
                    arguments(method, update.getAcceptedRequest().getInput().getArgs());
                }
                case EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_COMPLETED -> {
                    var update = event.getWorkflowExecutionUpdateCompletedEventAttributes();
                    result(
                            requireNonNull(asked.get(update.getMeta().getUpdateId())),
                            update.getOutcome().getSuccess());
                }
                default -> {
                    // The others carry nothing of ours but what the UI shows.
                }
            }
        }

        private Method method(String name) {
            read.add(name);
            return requireNonNull(METHODS.get(name), () -> "Nothing takes " + name);
        }

        private static void arguments(Method method, Payloads payloads) {
            Type[] types = method.getGenericParameterTypes();
            // An argument that is newer than the run is null there.
            assertThat(payloads.getPayloadsCount())
                    .as("arguments of " + method)
                    .isBetween(Math.min(1, types.length), types.length);
            for (int i = 0; i < payloads.getPayloadsCount(); i++) {
                same(method, payloads.getPayloads(i), method.getParameterTypes()[i], types[i]);
            }
        }

        private static void result(Method method, Payloads payloads) {
            if (method.getReturnType() == void.class) {
                payloads.getPayloadsList()
                        .forEach(payload -> assertThat(json(payload))
                                .as("result of " + method)
                                .isNull());
            } else {
                assertThat(payloads.getPayloadsCount())
                        .as("result of " + method)
                        .isEqualTo(1);
                same(method, payloads.getPayloads(0), method.getReturnType(), method.getGenericReturnType());
            }
        }

        private static void same(Method method, Payload written, Class<?> type, Type generic) {
            Object value = CONVERTER.fromPayload(written, type, generic);
            Payload again = CONVERTER.toPayload(value).orElseThrow();
            List<String> lost = new ArrayList<>();
            lose(lost, "", json(written), json(again));
            assertThat(lost).as(() -> method + " lost of " + json(written)).isEmpty();
        }

        /** Maps, lists and plain values. */
        private static @Nullable Object json(Payload payload) {
            return CONVERTER.fromPayload(payload, Object.class, Object.class);
        }

        /** Collects what {@code again} does not hold of {@code written}; it may hold fields that are newer. */
        private static void lose(List<String> lost, String path, @Nullable Object written, @Nullable Object again) {
            if (written instanceof Map<?, ?> before && again instanceof Map<?, ?> now) {
                before.forEach((name, value) -> lose(lost, path + "." + name, value, now.get(name)));
            } else if (written instanceof List<?> before
                    && again instanceof List<?> now
                    && before.size() == now.size()) {
                for (int i = 0; i < before.size(); i++) {
                    lose(lost, path + "[" + i + "]", before.get(i), now.get(i));
                }
            } else if (!Objects.equals(written, again)) {
                lost.add(path + ": " + written + ", now " + again);
            }
        }
    }
}
