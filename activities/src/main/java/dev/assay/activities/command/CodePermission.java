package dev.assay.activities.command;

import dev.assay.activities.isolation.ProgramIsolation;
import dev.assay.domain.campaign.CodeFiles;
import dev.assay.domain.check.code.CodeLanguage;
import dev.assay.domain.check.code.CodeNeed;
import dev.assay.domain.grading.OwnCode;
import dev.assay.domain.tool.CodeAllowance;
import dev.assay.domain.tool.ToolPolicy;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The own code that this worker may run, and has the interpreters for. */
public final class CodePermission {

    private final ToolPolicy policy;
    private final @Nullable OwnAgents own;
    private final ProgramIsolation isolation;

    /**
     * @param own what the command allows that runs this worker; null: nothing
     * @param isolation how far code is kept apart, and whether it starts at all
     */
    public CodePermission(ToolPolicy policy, @Nullable OwnAgents own, ProgramIsolation isolation) {
        this.policy = policy;
        this.own = own;
        this.isolation = isolation;
    }

    /** The worker's offer to campaigns. */
    CodeAllowance offered() {
        if (isolation.refusal() != null) {
            return CodeAllowance.NONE;
        }
        CodeAllowance ownCode = own == null ? CodeAllowance.NONE : own.code();
        return new CodeAllowance(
                Stream.of(CodeLanguage.PYTHON, CodeLanguage.JAVASCRIPT)
                        .filter(language -> join(policy.code().languages(), ownCode.languages())
                                .anyMatch(language.word()::equals))
                        .filter(language -> AgentPermission.isFound(language.interpreter()))
                        .map(CodeLanguage::word)
                        .collect(Collectors.toSet()),
                join(policy.code().env(), ownCode.env()).collect(Collectors.toSet()),
                join(policy.code().programs(), ownCode.programs())
                        .filter(AgentPermission::isFound)
                        .collect(Collectors.toSet()));
    }

    /** Whether code with this need runs here at all: of campaigns that may, or of the command that runs this worker. */
    public boolean offers(CodeNeed need) {
        return own != null || offered().languages().contains(need.language().word());
    }

    private static Stream<String> join(Set<String> some, Set<String> more) {
        return Stream.concat(some.stream(), more.stream());
    }

    /** Why code with this need does not run here, as a sentence; null: it does. */
    public @Nullable String refusal(String campaignId, CodeFiles files, CodeNeed need) throws InterruptedException {
        if (isolation.refusal() != null) {
            return isolation.refusal();
        }
        return own != null && own.isOf(campaignId) ? null : OwnCode.refusal(need, files, policy);
    }

    /** Whether code with this need is left to other workers. A command's worker runs the command's own code, and leaves none. */
    public boolean leaves(CodeFiles files, CodeNeed need) {
        return own == null && (isolation.refusal() != null || OwnCode.refusal(need, files, policy) != null);
    }
}
