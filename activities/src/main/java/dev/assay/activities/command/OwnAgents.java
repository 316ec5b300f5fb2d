package dev.assay.activities.command;

import dev.assay.domain.agent.AgentCommand;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The programs that a command may run in its own process. They are those of the file that it submits, or of the campaign that its
 * user names.
 */
public final class OwnAgents {

    /** The time that an attempt waits to learn which campaign was submitted, in seconds. */
    private static final long PATIENCE_S = 30;

    private final @Nullable List<AgentCommand> commands;
    private final CompletableFuture<String> campaign = new CompletableFuture<>();

    private OwnAgents(@Nullable List<AgentCommand> commands) {
        this.commands = commands;
    }

    /** The programs of a file; {@link #submitted} says of which campaign. */
    public static OwnAgents ofFile(List<AgentCommand> commands) {
        return new OwnAgents(List.copyOf(commands));
    }

    /** The programs of a campaign that the user names. */
    public static OwnAgents ofCampaign(String campaignId) {
        OwnAgents own = new OwnAgents(null);
        own.submitted(campaignId);
        return own;
    }

    /** The programs that are known before the campaign is. */
    List<AgentCommand> commands() {
        return commands == null ? List.of() : commands;
    }

    /** Says which campaign was submitted. */
    public void submitted(String campaignId) {
        campaign.complete(campaignId);
    }

    /** Whether {@code command} is run for {@code campaignId}. */
    boolean allow(String campaignId, AgentCommand command) throws InterruptedException {
        if (commands != null && !commands.contains(command)) {
            return false;
        }
        try {
            return campaign.get(PATIENCE_S, TimeUnit.SECONDS).equals(campaignId);
        } catch (ExecutionException | TimeoutException _) {
            return false;
        }
    }
}
