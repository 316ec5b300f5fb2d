package dev.assay.cli.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.lang.ArchRule;
import dev.assay.work.child.ChildProcess;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Where child processes may be made, and what they see decided. */
final class ChildRules {

    private static final DescribedPredicate<AccessTarget> MAKES_OR_OPENS = DescribedPredicate.describe(
            "makes a process or decides what it sees",
            target -> isOf(target, ProcessBuilder.class, JavaConstructor.CONSTRUCTOR_NAME)
                    || isOf(target, ProcessBuilder.class, "environment")
                    || isOf(target, Runtime.class, "exec"));

    static final ArchRule ONE_PLACE = noClasses()
            .that()
            .doNotHaveFullyQualifiedName(ChildProcess.class.getName())
            .should()
            .accessTargetWhere(JavaAccess.Predicates.target(MAKES_OR_OPENS))
            .because("a process sees the keys of this one unless ChildProcess makes it");

    private ChildRules() {}

    private static boolean isOf(AccessTarget target, Class<?> owner, String name) {
        return target.getOwner().isEquivalentTo(owner) && target.getName().equals(name);
    }

    static Stream<Class<?>> offenders() {
        return Stream.of(Made.class, Referred.class, Opened.class, Executed.class);
    }

    static final class Made {
        Process offend() throws IOException {
            return new ProcessBuilder("true").start();
        }
    }

    static final class Referred {
        Stream<ProcessBuilder> offend(Stream<List<String>> commands) {
            return commands.map(ProcessBuilder::new);
        }
    }

    static final class Opened {
        void offend(ProcessBuilder builder, Map<String, String> keys) {
            builder.environment().putAll(keys);
        }
    }

    static final class Executed {
        Process offend() throws IOException {
            return Runtime.getRuntime().exec(new String[] {"true"});
        }
    }
}
