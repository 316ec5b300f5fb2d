package dev.assay.cli.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import dev.assay.activities.call.RunnableKind;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.kind.AgentKind;
import dev.assay.domain.selection.Strategy;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The classes that may know a concrete kind of agent or strategy: what reads, writes or runs it. */
final class KindRules {

    private static final DescribedPredicate<JavaClass> A_KIND_OF_AGENT = describe(
            "are a kind of agent", type -> type.isAssignableTo(Agent.class) && !type.isEquivalentTo(Agent.class));

    private static final DescribedPredicate<JavaClass> READS_OR_RUNS_IT = describe(
            "read, write or run it",
            type -> type.isAssignableTo(Agent.class)
                    || type.isAssignableTo(AgentKind.class)
                    || type.isAssignableTo(RunnableKind.class));

    static final ArchRule AGENTS = noClasses()
            .that(DescribedPredicate.not(READS_OR_RUNS_IT))
            .should()
            .dependOnClassesThat(A_KIND_OF_AGENT)
            .because("a new kind of agent touches none of them: ask the agent, its AgentKind or its RunnableKind");

    private static final DescribedPredicate<JavaClass> A_KIND_OF_STRATEGY = describe(
            "are a kind of strategy other than the plugins'",
            type -> type.isAssignableTo(Strategy.class)
                    && !type.isEquivalentTo(Strategy.class)
                    && !type.isEquivalentTo(Strategy.Custom.class));

    static final ArchRule STRATEGIES = noClasses()
            .that()
            .resideOutsideOfPackages("dev.assay.domain.selection", "dev.assay.domain.campaignfile.strategy")
            .should()
            .dependOnClassesThat(A_KIND_OF_STRATEGY)
            .because("a new strategy touches none of them: ask the strategy");

    private KindRules() {}

    /** Classes, each with the rule that it breaks. */
    static Stream<Map.Entry<Class<?>, ArchRule>> offenders() {
        return Stream.of(
                Map.entry(Asked.class, AGENTS),
                Map.entry(Switched.class, AGENTS),
                Map.entry(Filtered.class, AGENTS),
                Map.entry(Paired.class, STRATEGIES));
    }

    static final class Asked {
        boolean offend(Agent agent) {
            return agent instanceof Agent.Http;
        }
    }

    static final class Switched {
        String offend(Agent agent) {
            return switch (agent) {
                case Agent.Command(var command) -> command.name();
                default -> "";
            };
        }
    }

    static final class Filtered {
        long offend(List<Agent> agents) {
            return agents.stream().filter(Agent.Model.class::isInstance).count();
        }
    }

    static final class Paired {
        boolean offend(Strategy strategy) {
            return strategy instanceof Strategy.Pairwise;
        }
    }
}
