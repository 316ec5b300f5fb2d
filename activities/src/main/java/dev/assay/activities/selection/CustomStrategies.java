package dev.assay.activities.selection;

import dev.assay.domain.document.IdRule;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.evaluation.SelectionStrategy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The custom strategies of this process: those of its class path, and those in the JAR files of a directory of plugins. */
public final class CustomStrategies implements AutoCloseable {

    private final URLClassLoader plugins;
    private final Map<String, SelectionStrategy> byName;

    private CustomStrategies(URLClassLoader plugins, Map<String, SelectionStrategy> byName) {
        this.plugins = plugins;
        this.byName = byName;
    }

    /**
     * Finds the strategies.
     *
     * @param directory of the plugins; null or missing: only the class path counts
     * @throws AssayException INVALID_INPUT when a plugin cannot be used, or two strategies have the same name
     */
    public static CustomStrategies load(@Nullable Path directory) {
        URLClassLoader loader = new URLClassLoader("assay-plugins", urls(directory), classLoader());
        try {
            Map<String, SelectionStrategy> byName = new TreeMap<>();
            for (SelectionStrategy strategy : ServiceLoader.load(SelectionStrategy.class, loader)) {
                add(byName, strategy);
            }
            return new CustomStrategies(loader, byName);
        } catch (ServiceConfigurationError e) {
            throw unusable("A plugin cannot be loaded: " + e.getMessage(), e);
        } catch (LinkageError e) {
            throw unusable("A plugin does not fit this version of Assay, build it again: " + e, e);
        }
    }

    private static void add(Map<String, SelectionStrategy> byName, SelectionStrategy strategy) {
        String name = strategy.name();
        String type = strategy.getClass().getName();
        String wrong = name == null ? "must not be null" : IdRule.problem(name);
        if (wrong != null) {
            throw unusable("The name of strategy " + type + " " + wrong, null);
        }
        SelectionStrategy other = byName.put(name, strategy);
        if (other != null) {
            throw unusable(
                    "Strategies " + other.getClass().getName() + " and " + type + " are both named " + name
                            + "; rename one or remove its plugin",
                    null);
        }
    }

    private static AssayException unusable(String message, @Nullable Throwable cause) {
        return new AssayException(ErrorCode.INVALID_INPUT, message, cause);
    }

    private static ClassLoader classLoader() {
        return CustomStrategies.class.getClassLoader();
    }

    private static URL[] urls(@Nullable Path directory) {
        if (directory == null || !Files.isDirectory(directory)) {
            return new URL[0];
        }
        List<URL> urls = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.filter(path -> path.toString().endsWith(".jar"))
                    .sorted()
                    .toList()) {
                urls.add(url(file));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("The plugins in " + directory + " cannot be listed", e);
        }
        return urls.toArray(URL[]::new);
    }

    private static URL url(Path file) throws MalformedURLException {
        return file.toUri().toURL();
    }

    /** The names that campaigns can use. */
    public Set<String> names() {
        return Set.copyOf(byName.keySet());
    }

    /** The strategy of that name; empty when this process does not have it. */
    public Optional<SelectionStrategy> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    @Override
    public void close() throws IOException {
        plugins.close();
    }
}
