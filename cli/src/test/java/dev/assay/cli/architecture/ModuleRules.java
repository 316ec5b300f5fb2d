package dev.assay.cli.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.elements.ClassesShouldConjunction;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Reader;
import java.io.Serializable;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.SecureRandom;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.Timer;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadLocalRandom;

/** What the classes of each module may use; the workflows' rules of determinism are in {@link WorkflowRules}. */
final class ModuleRules {

    private static final Set<String> CLOCK_METHODS =
            Set.of("now", "currentTimeMillis", "nanoTime", "systemUTC", "systemDefaultZone");
    private static final Set<String> CHANCE_METHODS = Set.of("random", "randomUUID");

    private ModuleRules() {}

    static List<ArchRule> work() {
        return List.of(classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "dev.assay.work..",
                        "dev.assay.domain..",
                        "com.fasterxml.jackson..",
                        "java..",
                        // The memory of the machine.
                        "com.sun.management..",
                        "org.slf4j..",
                        "org.jspecify.annotations..")
                .because("compute processes see the domain, and no framework"));
    }

    static List<ArchRule> domain() {
        return List.of(domainLibraries(), noInputOrOutput(), noClock(), noChance(), noPrinting());
    }

    private static ArchRule domainLibraries() {
        return classes()
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                        "dev.assay.domain..",
                        "java..",
                        "com.fasterxml.jackson..",
                        "org.apache.commons..",
                        "org.jsoup..",
                        "javax.xml.stream..",
                        // Validation of JSON against a schema that is already in memory.
                        "com.networknt.schema..",
                        // JSONPath on documents that are already in memory.
                        "com.jayway.jsonpath..",
                        // Parsing of YAML text that is already in memory.
                        "org.snakeyaml.engine..",
                        // Templates that are already in memory, without the files, classes and clock of the library.
                        "com.hubspot.jinjava..",
                        "jinjava.javax.el..",
                        "org.jspecify.annotations.."))
                .because("the domain sees the platform and libraries of values");
    }

    private static ArchRule noInputOrOutput() {
        return noClasses()
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
                        // What is rendered goes to memory, or to where the caller says.
                        .and(not(type(OutputStream.class)))
                        .and(not(type(ByteArrayOutputStream.class)))
                        .and(not(type(URI.class)))
                        .and(not(type(URISyntaxException.class))))
                .because("the domain is pure: no I/O");
    }

    private static ArchRule noClock() {
        return noClasses()
                .should()
                .accessTargetWhere(JavaAccess.Predicates.target(describe(
                        "reads the clock or draws a random number",
                        target -> target.getOwner().getPackageName().startsWith("java.")
                                && (CLOCK_METHODS.contains(target.getName())
                                        || CHANCE_METHODS.contains(target.getName())))))
                .because("the domain is pure: callers hand in the time");
    }

    private static ArchRule noChance() {
        return noClasses()
                .should()
                .dependOnClassesThat(resideInAnyPackage("java.util.random")
                        .or(type(Random.class))
                        .or(type(SplittableRandom.class))
                        .or(type(Timer.class))
                        .or(type(ThreadLocalRandom.class))
                        .or(type(ExecutorService.class))
                        .or(type(Thread.class))
                        .or(type(SecureRandom.class)))
                .because("the domain is pure: no chance and no threads");
    }

    private static ArchRule noPrinting() {
        return noClasses()
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .orShould()
                .callMethod(System.class, "getenv", String.class)
                .orShould()
                .callMethod(System.class, "getProperty", String.class)
                .because("the domain is pure: it prints nothing and reads no environment");
    }

    static List<ArchRule> store() {
        return List.of(
                classes()
                        .should()
                        .onlyDependOnClassesThat()
                        .resideInAnyPackage(
                                "dev.assay.store..",
                                "dev.assay.domain..",
                                "java..",
                                "javax.sql..",
                                "jakarta..",
                                "io.micronaut..",
                                "com.fasterxml.jackson..",
                                "org.jspecify..",
                                "org.slf4j..")
                        .because("the store sees the domain and JDBC"),
                noUse("io.temporal..", "io.micronaut.http..", "java.net.http..")
                        .because("the store knows neither Temporal nor HTTP"));
    }

    static List<ArchRule> campaigns() {
        return List.of(
                noUse("dev.assay.store.sql..", "java.sql..", "javax.sql..", "io.micronaut.data..")
                        .because("what decides reads and writes through the store's repositories"),
                noUse("io.micronaut.http..", "java.net.http..").because("whoever asks, the answer is the same"),
                noClasses()
                        .that()
                        .resideOutsideOfPackages("dev.assay.campaigns.launch..", "dev.assay.campaigns.upkeep..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAPackage("io.temporal..")
                        .because("changes and results of campaigns are PostgreSQL's"));
    }

    static List<ArchRule> activities() {
        return List.of(
                noUse("java.sql..", "javax.sql..").because("SQL is the store's"),
                noClasses()
                        .that()
                        .resideOutsideOfPackages(
                                "dev.assay.activities.provider..",
                                "dev.assay.activities.proxy..",
                                "dev.assay.activities.tool..",
                                "dev.assay.activities.system..",
                                "dev.assay.activities.http..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage("java.net.http..", "dev.assay.activities.http..")
                        .because("models and tools are asked only through their packages"),
                noClasses()
                        .that()
                        .resideOutsideOfPackage("dev.assay.activities.tool..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage("io.modelcontextprotocol..", "reactor..")
                        .because("MCP servers are asked only through their package (decision 0060)"));
    }

    static List<ArchRule> web() {
        return List.of(
                noUse("io.modelcontextprotocol..").because("the web API asks no MCP server"),
                noUse("dev.assay.store.sql..", "javax.sql..", "io.micronaut.data..")
                        .because("the web API reaches the database only through the store's repositories"));
    }

    static List<ArchRule> standalone() {
        return List.of(
                noUse("picocli..").because("what runs the product knows no command line"),
                noClasses()
                        .that()
                        .resideOutsideOfPackage("dev.assay.standalone.engine..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAPackage("io.temporal..")
                        .because("Temporal stays in the engine"));
    }

    static List<ArchRule> cli() {
        return List.of(
                noUse("java.sql..", "io.temporal..", "io.micronaut..")
                        .because("commands start the product and ask its API, they are no part of it"),
                noClasses()
                        .that()
                        .resideOutsideOfPackage("dev.assay.cli.token..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAPackage("dev.assay.store..")
                        .because("every command that works on campaigns talks to the API, so that there is one code"
                                + " path"),
                noClasses()
                        .that()
                        .resideOutsideOfPackages("dev.assay.cli", "dev.assay.cli.command..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAPackage("dev.assay.cli.command..")
                        .because("commands are the outermost layer"));
    }

    private static ClassesShouldConjunction noUse(String... packages) {
        return noClasses().should().dependOnClassesThat().resideInAnyPackage(packages);
    }
}
