package dev.assay.cli.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.stream.Stream;

/** The classes of all modules, without tests and without what annotation processors generate. */
final class AssayClasses {

    static final String ROOT = "dev.assay.";

    static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("-tests.jar"))
            .withImportOption(location -> !location.contains("/$"))
            .withImportOption(location -> !location.contains("$Intercepted"))
            .importPackages("dev.assay");

    private AssayClasses() {}

    /** The classes of one module, named as its packages are: {@code web}, not {@code web-api}. */
    static JavaClasses of(String module) {
        return ALL.that(resideInAPackage(ROOT + module + ".."));
    }

    /** Types that stand in a file of their own. */
    static Stream<JavaClass> topLevelTypes() {
        return ALL.stream()
                .filter(JavaClass::isTopLevelClass)
                .filter(type -> !type.getSimpleName().equals("package-info"));
    }

    /** The module of a package such as {@code dev.assay.domain.gate}. */
    static String moduleOf(String packageName) {
        return packageName.substring(ROOT.length()).split("\\.", 2)[0];
    }
}
