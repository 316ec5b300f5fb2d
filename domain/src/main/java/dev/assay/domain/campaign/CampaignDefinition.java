package dev.assay.domain.campaign;

import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.AgentCommand;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.delivery.DeliveryWish;
import dev.assay.domain.draw.ReusePolicy;
import dev.assay.domain.gate.GatePolicy;
import dev.assay.domain.judge.Judge;
import dev.assay.domain.judge.JudgePolicy;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.reducer.Reducer;
import dev.assay.domain.selection.Strategy;
import dev.assay.domain.suite.GroupBy;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The definition of a campaign, apart from its cases.
 *
 * @param branches in the order that results and judges show them, at least one, ids unique
 * @param trials repetitions of each case, 1–1000
 * @param reporting what is reported beside pass rates
 * @param graders who may grade checks, each agent once; the first one where a check names none. Empty: no check is graded
 * @param code the surroundings of own code
 * @param reuse which stored answers it takes in place of asking again; null: none
 */
public record CampaignDefinition(
        String name,
        List<Branch> branches,
        int trials,
        Strategy strategy,
        GatePolicy gate,
        Limits limits,
        Reporting reporting,
        List<CheckGrader> graders,
        CodeFiles code,
        @Nullable ReusePolicy reuse) {

    public CampaignDefinition {
        branches = List.copyOf(branches);
        graders = List.copyOf(graders);
    }

    /** A definition with unrelated cases, without reducers and without graded checks. */
    public CampaignDefinition(
            String name, List<Branch> branches, int trials, Strategy strategy, GatePolicy gate, Limits limits) {
        this(name, branches, trials, strategy, gate, limits, Reporting.PLAIN, List.of(), CodeFiles.NONE, null);
    }

    /** The same with another gate. */
    public CampaignDefinition with(GatePolicy other) {
        return new CampaignDefinition(name, branches, trials, strategy, other, limits, reporting, graders, code, reuse);
    }

    /** The same with another number of trials. */
    public CampaignDefinition withTrials(int other) {
        return new CampaignDefinition(name, branches, other, strategy, gate, limits, reporting, graders, code, reuse);
    }

    /** Whether the answers of its branches were on record before it, so that no branch is asked. */
    public boolean isAnswered() {
        return branches.stream().allMatch(Branch::isAnswered);
    }

    /** Whether some of its branches, judges or graders may be asked in batches of providers. */
    public boolean mayBeOut() {
        return wishes().anyMatch(DeliveryWish::mayBeOut);
    }

    /** How its branches, judges and graders want to be asked. */
    public Stream<DeliveryWish> wishes() {
        return Stream.of(
                        branches.stream().map(Branch::delivery),
                        judges().map(Judge::delivery),
                        graders.stream().map(CheckGrader::delivery))
                .flatMap(wishes -> wishes);
    }

    private Stream<Judge> judges() {
        return judging().stream().flatMap(policy -> policy.judges().stream());
    }

    /** The agents that may grade checks. */
    public List<Agent> graderAgents() {
        return graders.stream().map(CheckGrader::agent).toList();
    }

    /** Whether some of its answers may be copies of stored ones. */
    public boolean mayHoldCopies() {
        return reuse != null || isAnswered();
    }

    /** The same with the answers that its branches gave in another campaign. */
    public CampaignDefinition answered() {
        return new CampaignDefinition(
                name,
                branches.stream().map(Branch::answered).toList(),
                trials,
                strategy,
                gate,
                limits,
                reporting,
                graders,
                code,
                reuse);
    }

    /**
     * The branches that send the same requests as one of them, itself included, in order.
     *
     * @param branchIndex of a branch whose answers are reusable
     */
    public List<Integer> alike(int branchIndex) {
        return IntStream.range(0, branches.size())
                .filter(other -> branches.get(other).asksAs(branches.get(branchIndex)))
                .boxed()
                .toList();
    }

    /** The reducers: how the trials of a case become one number, beside its pass rate. */
    public List<Reducer> reducers() {
        return reporting.reducers();
    }

    /** The property that makes cases related; null: none. */
    public @Nullable GroupBy groupBy() {
        return reporting.groupBy();
    }

    /** The way trials are judged; empty when the strategy asks no judge. A single branch needs no judge. */
    public Optional<JudgePolicy> judging() {
        return branches.size() > 1 ? Optional.ofNullable(strategy.judging()) : Optional.empty();
    }

    /** The agents that may be asked to choose among the branches: the judges, or the models of a custom strategy. */
    public List<Agent> evaluators() {
        Stream<Agent> models = strategy.plugin().stream().flatMap(custom -> custom.models().values().stream());
        return Stream.concat(models, judges().map(Judge::agent)).toList();
    }

    /**
     * The agent that was asked to choose among the branches; empty when the definition does not say which.
     *
     * @param slot number of the call in its trial, from 0
     * @param model the name under which a custom strategy asked; null: a judge was asked
     */
    public Optional<Agent> evaluator(int slot, @Nullable String model) {
        if (model == null) {
            return judging().map(policy -> policy.judgeOf(slot).agent());
        }
        return strategy.plugin().map(custom -> custom.models().get(model));
    }

    /** The models that are asked over a network, each once. */
    public List<ModelChoice> modelsAsked() {
        return agentsAsked()
                .flatMap(agent -> agent.modelAsked().stream())
                .distinct()
                .toList();
    }

    /** The providers that workers must be able to ask, each once: those of the branches in order, then those of the others. */
    public List<String> providersAsked() {
        return agentsAsked().map(Agent::provider).distinct().toList();
    }

    /** The pools of calls that it asks, each once. */
    public List<ModelPool> poolsAsked() {
        return agentsAsked().map(ModelPool::of).distinct().toList();
    }

    /** The programs that answer for branches, each once. */
    public List<AgentCommand> commands() {
        return branches.stream()
                .flatMap(branch -> branch.agent().program().stream())
                .distinct()
                .toList();
    }

    /** The stored files that it needs, each once: workspaces of programs, and those of own code. */
    public List<String> workspaceIds() {
        Stream<String> ofPrograms = commands().stream().flatMap(command -> Stream.ofNullable(command.workspaceId()));
        return Stream.concat(ofPrograms, Stream.ofNullable(code.workspaceId()))
                .distinct()
                .toList();
    }

    /** The agents of its branches in order, then those that judge and grade. */
    public Stream<Agent> agentsAsked() {
        return Stream.of(branches.stream().map(Branch::agent), evaluators().stream(), graderAgents().stream())
                .flatMap(agents -> agents);
    }
}
