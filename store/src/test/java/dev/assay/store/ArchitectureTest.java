package dev.assay.store;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

final class ArchitectureTest {

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.assay.store");

    @Test
    void shouldSeeOnlyDomainWhenStoreUsesAssay() {
        classes()
                .that()
                .resideInAPackage("dev.assay.store..")
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
                .check(CLASSES);
    }

    @Test
    void shouldNotKnowTemporalOrHttpWhenStoreIsBuilt() {
        noClasses()
                .that()
                .resideInAPackage("dev.assay.store..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.temporal..", "io.micronaut.http..", "java.net.http..")
                .check(CLASSES);
    }
}
