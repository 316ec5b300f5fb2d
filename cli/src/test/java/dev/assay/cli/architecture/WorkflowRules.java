package dev.assay.cli.architecture;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.lang.ArchRule;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/** Layers of the workflows, and the determinism that replay needs. */
final class WorkflowRules {

    private static final ArchRule LAYERS = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java..",
                    "dev.assay.domain..",
                    "dev.assay.workflows..",
                    "io.temporal..",
                    // The types of fields of Temporal's messages.
                    "com.google.protobuf..",
                    "org.jspecify.annotations..")
            .because("workflows see the domain and Temporal: no Micronaut, no JDBC, no HTTP, no store");

    private static final ArchRule NO_IO = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "java.io..", "java.nio.file..", "java.nio.channels..", "java.net..", "java.sql..", "javax..")
            .because("workflows do no I/O; activities do");

    private static final ArchRule NO_THREADS = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.util.concurrent..")
            .orShould()
            .dependOnClassesThat(assignableTo(Thread.class))
            .orShould()
            .callMethodWhere(target(nameMatching("parallel|parallelStream")))
            .because("Temporal alone schedules workflow code");

    private static final ArchRule NO_CLOCK_NO_CHANCE = noClasses()
            .should()
            .callMethodWhere(target(name("now")).and(target(owner(nameMatching("java\\.time\\..*")))))
            .orShould()
            .callMethodWhere(target(nameMatching("currentTimeMillis|nanoTime|getenv|getProperty"))
                    .and(target(owner(assignableTo(System.class)))))
            .orShould()
            .callMethod(UUID.class, "randomUUID")
            .orShould()
            .callMethod(Math.class, "random")
            .orShould()
            .dependOnClassesThat()
            .haveNameMatching("java\\.util\\.Random|java\\.util\\.random\\..*|java\\.security\\..*|java\\.time\\.Clock")
            .because("a replay must see the same time and the same numbers; Workflow has both");

    private static final ArchRule NO_UNORDERED_COLLECTIONS = noClasses()
            .should()
            .dependOnClassesThat()
            .haveNameMatching("java\\.util\\.(Hash|IdentityHash|WeakHash)(Map|Set)")
            .orShould()
            .callMethodWhere(target(nameMatching("of|copyOf|ofEntries"))
                    .and(target(owner(nameMatching("java\\.util\\.(Set|Map)")))))
            .orShould()
            .callMethodWhere(
                    target(nameMatching("toSet|toMap|groupingBy|partitioningBy|toUnmodifiableSet|toUnmodifiableMap"))
                            .and(target(owner(nameMatching("java\\.util\\.stream\\.Collectors")))))
            .because("their order may differ on replay");

    private static final ArchRule NO_TIMER_RACES = noClasses()
            .should()
            .callMethod(Workflow.class, "await", Duration.class, Supplier.class)
            .orShould()
            .callMethod(Workflow.class, "sleep", Duration.class)
            .orShould()
            .callMethod(Workflow.class, "sleep", long.class)
            .orShould()
            .callMethodWhere(target(name("cancel")).and(target(owner(nameMatching("io\\.temporal\\..*")))))
            .because("cancelling a timer or an activity that ends in the same moment stops a run on the in-process"
                    + " engine");

    private WorkflowRules() {}

    static List<ArchRule> all() {
        return List.of(LAYERS, NO_IO, NO_THREADS, NO_CLOCK_NO_CHANCE, NO_UNORDERED_COLLECTIONS, NO_TIMER_RACES);
    }
}
