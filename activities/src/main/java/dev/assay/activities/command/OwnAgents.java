package dev.assay.activities.command;

import dev.assay.domain.agent.AgentCommand;
import dev.assay.domain.tool.CodeAllowance;
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
    private final CodeAllowance code;
    private final CompletableFuture<String> campaign = new CompletableFuture<>();

    private OwnAgents(@Nullable List<AgentCommand> commands, CodeAllowance code) {
        this.commands = commands;
        this.code = code;
    }

    /** The programs of a file; {@link #submitted} says of which campaign. */
    public static OwnAgents ofFile(List<AgentCommand> commands) {
        return ofFile(commands, CodeAllowance.NONE);
    }

    /** The same with own code. */
    public static OwnAgents ofFile(List<AgentCommand> commands, CodeAllowance code) {
        return new OwnAgents(List.copyOf(commands), code);
    }

    /** The programs of a campaign that the user names. */
    public static OwnAgents ofCampaign(String campaignId) {
        OwnAgents own = new OwnAgents(null, CodeAllowance.NONE);
        own.submitted(campaignId);
        return own;
    }

    /** The programs that are known before the campaign is. */
    List<AgentCommand> commands() {
        return commands == null ? List.of() : commands;
    }

    /** The own code that is known before the campaign is. */
    CodeAllowance code() {
        return code;
    }

    /** Says which campaign was submitted. */
    public void submitted(String campaignId) {
        campaign.complete(campaignId);
    }

    /** Whether {@code command} is run for {@code campaignId}. */
    boolean allow(String campaignId, AgentCommand command) throws InterruptedException {
        return (commands == null || commands.contains(command)) && isOf(campaignId);
    }

    /** Whether {@code campaignId} is the campaign. */
    boolean isOf(String campaignId) throws InterruptedException {
        try {
            return campaign.get(PATIENCE_S, TimeUnit.SECONDS).equals(campaignId);
        } catch (ExecutionException | TimeoutException _) {
            return false;
        }
    }
}
