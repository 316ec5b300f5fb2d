package dev.assay.workflows;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Layers, and the determinism that replay needs. */
class ArchitectureTest {

    private static final JavaClasses MAIN = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.assay.workflows");

    private static final ArchRule LAYERS = classes()
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "java..",
                    "dev.assay.domain..",
                    "dev.assay.workflows..",
                    "io.temporal..",
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
            .callMethod(Workflow.class, "await", Duration.class, java.util.function.Supplier.class)
            .orShould()
            .callMethod(Workflow.class, "sleep", Duration.class)
            .orShould()
            .callMethod(Workflow.class, "sleep", long.class)
            .orShould()
            .callMethodWhere(target(name("cancel")).and(target(owner(nameMatching("io\\.temporal\\..*")))))
            .because("cancelling a timer or an activity that ends in the same moment stops a run on the in-process"
                    + " engine");

    static List<ArchRule> rules() {
        return List.of(LAYERS, NO_IO, NO_THREADS, NO_CLOCK_NO_CHANCE, NO_UNORDERED_COLLECTIONS, NO_TIMER_RACES);
    }

    @ParameterizedTest
    @MethodSource("rules")
    void shouldHoldInEveryClass(ArchRule rule) {
        rule.check(MAIN);
    }

    @Test
    void shouldSeeTheClassesOfTheModule() {
        assertThat(MAIN.contain("dev.assay.workflows.campaign.CampaignWorkflowImpl"))
                .isTrue();
    }

    static Stream<Class<?>> offenders() {
        return Stream.of(
                Clock.class, Chance.class, Lock.class, Unordered.class, CopiedSet.class, TimedWait.class, Files.class);
    }

    @ParameterizedTest
    @MethodSource("offenders")
    void shouldCatchEveryOffence(Class<?> offender) {
        JavaClasses classes = new ClassFileImporter().importClasses(offender);

        assertThatThrownBy(() ->
                        rules().forEach(rule -> rule.allowEmptyShould(true).check(classes)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(offender.getSimpleName());
    }

    static final class Clock {
        Instant offend() {
            return Instant.now();
        }
    }

    static final class Chance {
        int offend() {
            return new Random().nextInt();
        }
    }

    static final class Lock {
        Object offend() {
            return new ReentrantLock();
        }
    }

    static final class Unordered {
        Object offend() {
            return new HashMap<String, String>();
        }
    }

    static final class CopiedSet {
        Object offend(List<String> values) {
            return Set.copyOf(values);
        }
    }

    static final class TimedWait {
        boolean offend() {
            return Workflow.await(Duration.ofSeconds(1), () -> true);
        }
    }

    static final class Files {
        Object offend() {
            return new java.io.StringReader("");
        }
    }
}
