package dev.assay.domain.campaignfile;

import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.gate.GatePolicy;
import dev.assay.domain.selection.Strategy;
import java.util.List;

/** Reads what a campaign does, apart from its cases: what submitted and stored documents have in common. */
public final class DefinitionReader {

    /** Longest name, in Unicode code points. */
    static final int MAX_NAME = 200;

    /** A workflow's input names every branch and must stay small. */
    static final int MAX_BRANCHES = 100;

    public static final NumberRule TRIALS = NumberRule.whole(1, 1000).withCode("EVAL_INVALID_TRIALS_CONFIG");

    private final AgentReader agents;
    private final BranchReader branchReader;

    /** For documents that users submit: every branch has an id. */
    DefinitionReader(CassetteField cassettes) {
        this.agents = new AgentReader(cassettes);
        this.branchReader = new BranchReader(agents);
    }

    /** For stored documents. */
    DefinitionReader(StoredCassettes cassettes) {
        this.agents = new AgentReader(cassettes);
        this.branchReader = BranchReader.withOptionalIds(agents);
    }

    CampaignDefinition read(FieldReader document) {
        String name = document.line("name", MAX_NAME);
        List<Branch> branches = branches(document, branchReader);
        int trials = document.integer("trials", TRIALS, 1);
        Strategy strategy = new StrategyReader(agents).read(document, branches.size());
        GatePolicy gate = GateReader.read(document, branches);
        return new CampaignDefinition(name, branches, trials, strategy, gate, LimitsReader.read(document, branches));
    }

    static List<Branch> branches(FieldReader document, BranchReader reader) {
        List<Branch> branches = document.nonEmptyList("branches", reader::read);
        if (branches.size() > MAX_BRANCHES) {
            document.problem(
                    "branches",
                    "There are " + branches.size() + " branches; compare at most " + MAX_BRANCHES
                            + " in one campaign.");
        }
        return branches;
    }
}
