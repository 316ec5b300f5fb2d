package dev.assay.activities.branch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.activities.call.CellAttempt;
import dev.assay.activities.model.ModelException;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaignfile.agent.AgentReader;
import dev.assay.domain.check.code.CodeReply;
import dev.assay.domain.check.code.PromptCode;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.grading.CodePrompts;
import dev.assay.domain.suite.Case;
import dev.assay.domain.template.Template;
import dev.assay.work.compute.Answered;
import dev.assay.work.compute.Computed;
import dev.assay.work.compute.FillTask;
import dev.assay.work.compute.Stop;
import java.util.ArrayList;
import java.util.List;

/** A branch and a case as they are asked: the prompts are made once, by its template or by own code. */
final class AskedBranch {

    private final BranchCalls with;
    private final CellAttempt attempt;
    private Branch branch;
    private Case suiteCase;
    private boolean isMade;

    AskedBranch(BranchCalls with, CellAttempt attempt, Case suiteCase) {
        this.with = with;
        this.attempt = attempt;
        this.branch = attempt.campaign().definition().branches().get(attempt.slot());
        this.suiteCase = suiteCase;
    }

    Branch branch() {
        return branch;
    }

    Case suiteCase() {
        return suiteCase;
    }

    /** Whether the prompts are those that are sent. */
    boolean isMade() {
        return isMade;
    }

    /**
     * Makes the prompts.
     *
     * @throws ModelException when they cannot be made
     */
    void make() throws InterruptedException {
        if (isMade) {
            return;
        }
        PromptCode code = branch.wording().promptCode();
        if (code != null) {
            byCode(code);
        } else if (branch.wording().template() != null) {
            ask(filled(branch.wording().template()));
        }
        isMade = true;
    }

    private void byCode(PromptCode code) throws InterruptedException {
        with.placing.leave(attempt, code.script().need());
        CodeReply reply = with.processes
                .run(
                        attempt.campaign().id(),
                        attempt.campaign().definition().code(),
                        CodePrompts.request(code, branch, suiteCase))
                .reply();
        CodePrompts.Made made = CodePrompts.read(reply);
        if (made instanceof CodePrompts.Made.Text(String template, ObjectNode config)) {
            made = CodePrompts.ofText(filledText(template), config);
        }
        switch (made) {
            case CodePrompts.Made.Final(Template.Filled filled, ObjectNode config) -> {
                if (config != null) {
                    branch = branch.with(merged(config));
                }
                ask(filled);
            }
            case CodePrompts.Made.Nothing(String why) -> throw codeFailed(why);
            case CodePrompts.Made.Text _ -> throw new IllegalStateException("A filled text is final");
        }
    }

    private String filledText(String text) throws InterruptedException {
        try {
            return filled(Template.text(text)).prompts().getFirst().text();
        } catch (AssayException | ModelException e) {
            throw codeFailed("The prompt that the code returned cannot be filled: " + e.getMessage());
        }
    }

    private Agent merged(JsonNode config) {
        try {
            return AgentReader.withParameters(branch.agent(), config);
        } catch (AssayException e) {
            throw codeFailed("The `config` that the code of the prompt returned cannot be used: " + e.getMessage());
        }
    }

    private static ModelException codeFailed(String why) {
        return new ModelException(ErrorCode.CODE_FAILED, why, null, null);
    }

    private void ask(Template.Filled filled) {
        Branch.Asked asked = branch.asked(filled, suiteCase);
        branch = asked.branch();
        suiteCase = asked.suiteCase();
    }

    /** The template filled: in place where it has nothing but places, else in a compute process. */
    private Template.Filled filled(Template template) throws InterruptedException {
        Template.Filled filled = template.fillPlaces(suiteCase, branch.wording().templateVars());
        if (filled != null) {
            return filled;
        }
        FillTask task = new FillTask(
                template.texts(), Template.vars(suiteCase), branch.wording().templateVars());
        List<String> texts = new ArrayList<>();
        for (Computed<Answered> computed : with.computing.run(attempt.queue(), task)) {
            texts.add(filled(computed));
        }
        return template.filled(texts);
    }

    private static String filled(Computed<Answered> computed) {
        return switch (computed) {
            case Computed.Done<Answered>(Answered answer) when answer.text() != null -> answer.text();
            case Computed.Done<Answered>(Answered answer) -> throw unfillable(String.valueOf(answer.problem()));
            case Computed.Stopped<Answered>(Stop stop) ->
                throw unfillable("The template cannot be filled: it " + stop.deed() + ".");
        };
    }

    private static ModelException unfillable(String problem) {
        return new ModelException(ErrorCode.INVALID_INPUT, problem, null, null);
    }
}
