package dev.assay.activities;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

final class ArchitectureTest {

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.assay.activities");

    @Test
    void shouldSeeOnlyWorkflowsStoreAndDomain() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.assay.web..", "dev.assay.cli..")
                .check(CLASSES);
    }

    @Test
    void shouldLeaveSqlToTheStore() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.sql..", "javax.sql..")
                .check(CLASSES);
    }

    @Test
    void shouldAskModelsAndToolsOnlyThroughTheirPackages() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "dev.assay.activities.provider..", "dev.assay.activities.tool..", "dev.assay.activities.http..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.langchain4j..", "java.net.http..", "dev.assay.activities.http..")
                .check(CLASSES);
    }

    @Test
    void shouldHaveNoCyclesBetweenPackages() {
        slices().matching("dev.assay.activities.(*)..")
                .should()
                .beFreeOfCycles()
                .check(CLASSES);
    }
}
