package dev.assay.activities.judging;

import dev.assay.activities.command.CodePermission;
import dev.assay.domain.campaign.CodeFiles;
import dev.assay.domain.check.code.CodeRule;
import dev.assay.domain.grading.OwnCode;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.provider.ProviderQueries;
import dev.assay.workflows.TaskQueues;
import jakarta.inject.Singleton;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The workers that run own code. */
@Singleton
class CodePlacing {

    private final CodePermission permission;
    private final ProviderQueries workers;

    CodePlacing(CodePermission permission, ProviderQueries workers) {
        this.permission = permission;
        this.workers = workers;
    }

    /** The queue of workers that run all of {@code rules} of a case; null: this one does, or none does. */
    @Nullable
    String elsewhere(StoredCampaign campaign, List<CodeRule> rules) {
        CodeFiles files = campaign.definition().code();
        CodeRule lacking = rules.stream()
                .filter(rule -> permission.leaves(files, rule))
                .findFirst()
                .orElse(null);
        return lacking == null || workers.offers().stream().noneMatch(offer -> runsAll(offer, files, rules))
                ? null
                : TaskQueues.code(lacking.language().word());
    }

    private static boolean runsAll(ToolPolicy offer, CodeFiles files, List<CodeRule> rules) {
        return rules.stream().allMatch(rule -> OwnCode.refusal(rule, files, offer) == null);
    }
}
