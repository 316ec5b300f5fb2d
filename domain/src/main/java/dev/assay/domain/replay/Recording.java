package dev.assay.domain.replay;

import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import dev.assay.domain.text.Excerpt;
import dev.assay.domain.tool.ToolSpec;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A finished agent loop or judge call, from which the answers can be recorded.
 *
 * @param systemPrompt before the conversation, as it was sent; null: none
 * @param trial in which it was asked, from 1
 * @param context the conversation before anything was added
 * @param newMessages what was added: the prompt and everything after it
 * @param usage tokens of the whole loop
 * @param costUsd cost of the whole loop; null where no price is known
 */
public record Recording(
        ModelChoice choice,
        @Nullable String systemPrompt,
        List<ToolSpec> tools,
        int trial,
        List<Message> context,
        List<Message> newMessages,
        Usage usage,
        @Nullable BigDecimal costUsd,
        Duration latency) {

    public Recording {
        tools = List.copyOf(tools);
        context = List.copyOf(context);
        newMessages = List.copyOf(newMessages);
        if (trial < 1) {
            throw new IllegalArgumentException("Trial must be at least 1, but is " + trial);
        }
    }

    /**
     * One entry for each turn: every assistant message was the answer to all messages before it.
     *
     * <p>Only the loop's totals are known. The last entry carries them all and the others carry nothing. So a replay of the loop
     * adds up to the same usage, cost and latency.
     */
    public List<CassetteEntry> entries() {
        List<Message> asked = new ArrayList<>(context);
        List<CassetteEntry> entries = new ArrayList<>();
        int last = newMessages.stream().map(Message::role).toList().lastIndexOf(Role.ASSISTANT);
        for (int i = 0; i < newMessages.size(); i++) {
            Message message = newMessages.get(i);
            if (message.role() == Role.ASSISTANT) {
                entries.add(entry(asked, message, i == last));
            }
            asked.add(message);
        }
        return entries;
    }

    private CassetteEntry entry(List<Message> asked, Message reply, boolean carriesTotals) {
        BigDecimal nothing = costUsd == null ? null : BigDecimal.ZERO;
        return new CassetteEntry(
                RequestKey.of(choice, systemPrompt, asked, tools),
                trial,
                choice.provider(),
                choice.model(),
                asked.isEmpty() ? "" : Excerpt.of(asked.getLast().text()),
                reply,
                carriesTotals ? usage : Usage.NONE,
                carriesTotals ? costUsd : nothing,
                carriesTotals ? Math.max(0, latency.toMillis()) : 0);
    }
}
