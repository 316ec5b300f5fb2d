package dev.assay.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    private static final JavaClasses CLI = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.assay.cli");

    @Test
    void shouldAskTheApiWhenCommandsWorkOnCampaigns() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "dev.assay.cli.command..",
                        "dev.assay.cli.option..",
                        "dev.assay.cli.client..",
                        "dev.assay.cli.report..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.assay.store..", "dev.assay.workflows..", "java.sql..", "io.temporal..")
                .because("every command that works on campaigns talks to the API, so that there is one code path")
                .check(CLI);
    }

    @Test
    void shouldKnowNoCommandsWhenItIsNotACommand() {
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.assay.cli", "dev.assay.cli.command..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.assay.cli.command..")
                .check(CLI);
    }

    @Test
    void shouldKeepTemporalInTheEngineWhenAnythingElseNeedsIt() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.assay.cli.engine..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.temporal..")
                .check(CLI);
    }
}
