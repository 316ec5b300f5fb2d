package dev.assay.web;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import org.junit.jupiter.api.Test;

final class ArchitectureTest {

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.assay");

    @Test
    void shouldNeverSeeActivitiesOrCommandLineWhenWebIsBuilt() {
        noClasses()
                .that()
                .resideInAPackage("dev.assay.web..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.assay.activities..", "dev.assay.cli..", "dev.langchain4j..")
                .check(CLASSES);
    }

    @Test
    void shouldReachDatabaseOnlyThroughStoreWhenWebIsBuilt() {
        noClasses()
                .that()
                .resideInAPackage("dev.assay.web..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.assay.store.sql..", "javax.sql..", "io.micronaut.data..")
                .check(CLASSES);
    }

    @Test
    void shouldHaveNoCyclesWhenPackagesUseEachOther() {
        SlicesRuleDefinition.slices()
                .matching("dev.assay.web.(*)..")
                .should()
                .beFreeOfCycles()
                .check(CLASSES);
    }
}
