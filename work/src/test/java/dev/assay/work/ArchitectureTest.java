package dev.assay.work;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

final class ArchitectureTest {

    @Test
    void shouldKnowNoOtherModuleAndNoFrameworkWhenLayered() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("dev.assay.work..", "java..", "org.slf4j..", "org.jspecify.annotations..")
                .check(new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .importPackages("dev.assay.work"));
    }
}
