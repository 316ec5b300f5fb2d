package dev.assay.cli.architecture;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class ArchitectureTest {

    private static final int MOST_TYPES = 30;

    /** Each module and those that it sees. */
    private static final Map<String, List<String>> ARROWS = Map.of(
            "work", List.of("domain"),
            "domain", List.of(),
            "workflows", List.of("domain"),
            "store", List.of("domain"),
            "campaigns", List.of("workflows", "store", "domain"),
            "activities", List.of("campaigns", "workflows", "store", "domain", "work"),
            "web", List.of("campaigns", "store", "domain", "work"),
            "standalone", List.of("web", "activities", "campaigns", "workflows", "store", "domain", "work"),
            "cli", List.of("standalone", "activities", "store", "domain", "work"));

    private static final Path PAGE = Path.of("..", "docs", "decisions", "0015-packages.md");
    private static final String FENCE = "```";

    static Stream<Arguments> rules() {
        return Stream.of(
                        Map.entry("work", ModuleRules.work()),
                        Map.entry("domain", ModuleRules.domain()),
                        Map.entry("workflows", WorkflowRules.all()),
                        Map.entry("store", ModuleRules.store()),
                        Map.entry("campaigns", ModuleRules.campaigns()),
                        Map.entry("activities", ModuleRules.activities()),
                        Map.entry("web", ModuleRules.web()),
                        Map.entry("standalone", ModuleRules.standalone()),
                        Map.entry("cli", ModuleRules.cli()))
                .flatMap(module -> module.getValue().stream().map(rule -> Arguments.of(module.getKey(), rule)));
    }

    @ParameterizedTest
    @MethodSource("rules")
    void shouldKeepToTheModulesRules(String module, ArchRule rule) {
        rule.check(AssayClasses.of(module));
    }

    static Stream<Class<?>> offenders() {
        return NonDeterminism.offenders();
    }

    @ParameterizedTest
    @MethodSource("offenders")
    void shouldCatchEveryOffenceAgainstReplay(Class<?> offender) {
        JavaClasses classes = new ClassFileImporter().importClasses(offender);

        assertThatThrownBy(() -> WorkflowRules.all()
                        .forEach(rule -> rule.allowEmptyShould(true).check(classes)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(offender.getSimpleName());
    }

    @Test
    void shouldSeeOnlyTheModulesBelow() {
        assertThat(AssayClasses.topLevelTypes().map(type -> AssayClasses.moduleOf(type.getPackageName())))
                .as("modules with classes")
                .containsAll(ARROWS.keySet());
        for (JavaClass type : AssayClasses.ALL) {
            String module = AssayClasses.moduleOf(type.getPackageName());
            assertThat(type.getDirectDependenciesFromSelf().stream()
                            .map(dependency -> dependency
                                    .getTargetClass()
                                    .getBaseComponentType()
                                    .getPackageName())
                            .filter(target -> target.startsWith(AssayClasses.ROOT))
                            .map(AssayClasses::moduleOf)
                            .filter(target -> !target.equals(module)))
                    .as("modules that %s uses", type.getName())
                    .isSubsetOf(ARROWS.get(module));
        }
    }

    @Test
    void shouldMakeProcessesInOnePlaceOnly() {
        ChildRules.ONE_PLACE.check(AssayClasses.ALL);
    }

    static Stream<Class<?>> makers() {
        return ChildRules.offenders();
    }

    @ParameterizedTest
    @MethodSource("makers")
    void shouldCatchEveryOtherPlaceThatMakesProcesses(Class<?> maker) {
        JavaClasses classes = new ClassFileImporter().importClasses(maker);

        assertThatThrownBy(() -> ChildRules.ONE_PLACE.check(classes))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(maker.getSimpleName());
    }

    @Test
    void shouldKnowAKindInOnePlaceOnly() {
        KindRules.AGENTS.check(AssayClasses.ALL);
        KindRules.STRATEGIES.check(AssayClasses.ALL);
    }

    static Stream<Map.Entry<Class<?>, ArchRule>> knowers() {
        return KindRules.offenders();
    }

    @ParameterizedTest
    @MethodSource("knowers")
    void shouldCatchEveryOtherPlaceThatKnowsAKind(Map.Entry<Class<?>, ArchRule> knower) {
        JavaClasses classes = new ClassFileImporter().importClasses(knower.getKey());

        assertThatThrownBy(() -> knower.getValue().check(classes))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(knower.getKey().getSimpleName());
    }

    /** Whoever counts elsewhere decides anew which draws, errors and unknown trials count. */
    @Test
    void shouldTurnCountsIntoRatesInOneAccountOnly() {
        assertThat(CountRules.counting(AssayClasses.ALL))
                .as("classes that make rates or verdicts of counts: read BranchEvidence and Gate, or have a reason")
                .containsExactlyInAnyOrderElementsOf(CountRules.EXCEPTIONS.keySet());
    }

    @Test
    void shouldCatchEveryOffenceAgainstTheOneAccount() {
        JavaClasses classes = new ClassFileImporter().importClasses(CountRules.OFFENDERS);

        assertThat(classes).hasSize(CountRules.OFFENDERS.size());
        for (JavaClass type : classes) {
            assertThat(CountRules.counting(classes.that(DescribedPredicate.equalTo(type))))
                    .as(type.getName())
                    .isNotEmpty();
        }
    }

    @Test
    void shouldHaveNoCyclesBetweenPackages() {
        slices().assignedFrom(new ByPackage()).should().beFreeOfCycles().check(AssayClasses.ALL);
    }

    @Test
    void shouldHoldFewTypesInEachPackage() {
        Map<String, Long> types =
                AssayClasses.topLevelTypes().collect(groupingBy(JavaClass::getPackageName, TreeMap::new, counting()));

        types.values().removeIf(count -> count <= MOST_TYPES);

        assertThat(types).as("packages of more than %d types", MOST_TYPES).isEmpty();
    }

    @Test
    void shouldNameEachTypeOnce() {
        Map<String, Long> names =
                AssayClasses.topLevelTypes().collect(groupingBy(JavaClass::getSimpleName, TreeMap::new, counting()));

        names.values().removeIf(count -> count == 1);

        assertThat(names).as("simple names that stand more than once").isEmpty();
    }

    /** Run with {@code -Dassay.writePackages=true}, it writes the list instead. */
    @Test
    void shouldListThePackagesInTheDecisionPage() throws IOException {
        String page = Files.readString(PAGE);
        int begin = page.indexOf(FENCE) + FENCE.length() + 1;
        int end = page.indexOf("\n" + FENCE, begin);
        String graph = PackageGraph.lines();
        if (Boolean.getBoolean("assay.writePackages")) {
            Files.writeString(PAGE, page.substring(0, begin) + graph + page.substring(end));
            return;
        }

        assertThat(page.substring(begin, end))
                .as("The list in %s. Run this test with -Dassay.writePackages=true, or paste:%n%s", PAGE, graph)
                .isEqualTo(graph);
    }

    /** One slice for each package: a package within another is a package of its own. */
    private static final class ByPackage implements SliceAssignment {

        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            return type.getPackageName().startsWith(AssayClasses.ROOT)
                    ? SliceIdentifier.of(type.getPackageName())
                    : SliceIdentifier.ignore();
        }

        @Override
        public String getDescription() {
            return "packages";
        }
    }
}
