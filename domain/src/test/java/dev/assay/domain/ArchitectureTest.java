package dev.assay.domain;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.Reader;
import java.io.Serializable;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.SecureRandom;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.Timer;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/** The domain is pure: no framework, no I/O, no clock, no chance. */
class ArchitectureTest {

    private static final JavaClasses DOMAIN = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.assay.domain");

    private static final Set<String> CLOCK_METHODS =
            Set.of("now", "currentTimeMillis", "nanoTime", "systemUTC", "systemDefaultZone");
    private static final Set<String> CHANCE_METHODS = Set.of("random", "randomUUID");

    @Test
    void shouldDependOnlyOnThePlatformAndValueLibrariesWhenLayered() {
        classes()
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                        "dev.assay.domain..",
                        "java..",
                        "com.fasterxml.jackson..",
                        "org.apache.commons..",
                        // Validation of JSON against a schema that is already in memory.
                        "com.networknt.schema..",
                        // JSONPath on documents that are already in memory.
                        "com.jayway.jsonpath..",
                        // Parsing of YAML text that is already in memory.
                        "org.snakeyaml.engine..",
                        "org.jspecify.annotations.."))
                .check(DOMAIN);
    }

    @Test
    void shouldDoNoInputOrOutputWhenPure() {
        noClasses()
                .should()
                .dependOnClassesThat(resideInAnyPackage(
                                "java.io..",
                                "java.nio.file..",
                                "java.nio.channels..",
                                "java.net..",
                                "java.sql..",
                                "javax.sql..")
                        // Named by the signatures of libraries, or in memory only: types, not I/O.
                        .and(not(type(IOException.class)))
                        .and(not(type(UncheckedIOException.class)))
                        .and(not(type(Serializable.class)))
                        .and(not(type(Reader.class)))
                        .and(not(type(StringReader.class)))
                        .and(not(type(URI.class)))
                        .and(not(type(URISyntaxException.class))))
                .check(DOMAIN);
    }

    @Test
    void shouldReadNoClockAndRollNoDiceWhenPure() {
        noClasses()
                .should()
                .accessTargetWhere(JavaAccess.Predicates.target(describe(
                        "reads the clock or draws a random number",
                        target -> target.getOwner().getPackageName().startsWith("java.")
                                && (CLOCK_METHODS.contains(target.getName())
                                        || CHANCE_METHODS.contains(target.getName())))))
                .check(DOMAIN);
        noClasses()
                .should()
                .dependOnClassesThat(resideInAnyPackage("java.util.random")
                        .or(type(Random.class))
                        .or(type(SplittableRandom.class))
                        .or(type(Timer.class))
                        .or(type(ThreadLocalRandom.class))
                        .or(type(ExecutorService.class))
                        .or(type(Thread.class))
                        .or(type(SecureRandom.class)))
                .check(DOMAIN);
    }

    @Test
    void shouldPrintNothingWhenPure() {
        noClasses()
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .orShould()
                .callMethod(System.class, "getenv", String.class)
                .orShould()
                .callMethod(System.class, "getProperty", String.class)
                .check(DOMAIN);
    }
}
