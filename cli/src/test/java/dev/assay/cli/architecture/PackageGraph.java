package dev.assay.cli.architecture;

import static java.util.stream.Collectors.joining;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The packages of all modules and the packages that each uses, as lines of text: {@code activities.cell → permit; domain: campaign, json}.
 * Packages of the same module come first and without its name; {@code (root)} is the module's own package.
 */
final class PackageGraph {

    private PackageGraph() {}

    static String lines() {
        SortedMap<String, SortedSet<String>> uses = new TreeMap<>();
        for (JavaClass type : AssayClasses.ALL) {
            SortedSet<String> used = uses.computeIfAbsent(type.getPackageName(), name -> new TreeSet<>());
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                String target =
                        dependency.getTargetClass().getBaseComponentType().getPackageName();
                if (target.startsWith(AssayClasses.ROOT) && !target.equals(type.getPackageName())) {
                    used.add(target);
                }
            }
        }
        return uses.entrySet().stream().map(PackageGraph::line).collect(joining("\n"));
    }

    private static String line(Map.Entry<String, SortedSet<String>> node) {
        String name = node.getKey().substring(AssayClasses.ROOT.length());
        return node.getValue().isEmpty()
                ? name
                : name + " → " + targets(AssayClasses.moduleOf(node.getKey()), node.getValue());
    }

    private static String targets(String home, Set<String> packages) {
        SortedMap<String, SortedSet<String>> modules = new TreeMap<>();
        for (String target : packages) {
            modules.computeIfAbsent(AssayClasses.moduleOf(target), module -> new TreeSet<>())
                    .add(shortName(target));
        }
        SortedSet<String> own = modules.remove(home);
        String others = modules.entrySet().stream()
                .map(module -> module.getKey() + ": " + String.join(", ", module.getValue()))
                .collect(joining("; "));
        if (own == null) {
            return others;
        }
        return String.join(", ", own) + (others.isEmpty() ? "" : "; " + others);
    }

    private static String shortName(String packageName) {
        String module = AssayClasses.ROOT + AssayClasses.moduleOf(packageName);
        return packageName.equals(module) ? "(root)" : packageName.substring(module.length() + 1);
    }
}
