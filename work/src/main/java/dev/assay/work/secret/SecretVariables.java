package dev.assay.work.secret;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The variables that hold secrets. The value of NAME stands in the environment, in the file that NAME{@code _FILE} names, or in the
 * file NAME of systemd's {@code CREDENTIALS_DIRECTORY}. Files are looked at again and again; which of the three it is, is decided once.
 */
public final class SecretVariables {

    private static final Logger LOG = LoggerFactory.getLogger(SecretVariables.class);
    private static final String SUFFIX = "_FILE";
    private static final String DIRECTORY = "CREDENTIALS_DIRECTORY";

    /** Other names would lead out of the directory. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private static final Duration LOOK_EVERY = Duration.ofSeconds(5);
    private static final SecretVariables OF_PROCESS = new SecretVariables(System.getenv());

    private final Map<String, String> environment;
    private final AtomicBoolean isWatched = new AtomicBoolean();

    /** Those that have been asked for, by name; empty: no file holds it. */
    private final Map<String, Optional<SecretFile>> files = new ConcurrentHashMap<>();

    private SecretVariables(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    /** Those of {@code environment}. */
    public static SecretVariables of(Map<String, String> environment) {
        return new SecretVariables(environment);
    }

    /** Those of this process. */
    public static SecretVariables ofProcess() {
        return OF_PROCESS;
    }

    /** All variables as they stand in the environment, for what is no secret. */
    public Map<String, String> environment() {
        return environment;
    }

    /**
     * The same, and the values of {@code names} that stand in files.
     *
     * @throws AssayException as {@link #value}
     */
    public Map<String, String> environmentWith(Collection<String> names) {
        Map<String, String> all = new HashMap<>(environment);
        names.forEach(name -> all.computeIfAbsent(name, this::value));
        return all;
    }

    /**
     * The secret in a file that an option names. It is read once, and may come from a pipe.
     *
     * @throws AssayException INVALID_INPUT when it cannot be read
     */
    public static String readOnce(String option, Path path) {
        return SecretFile.readOnce(option, path);
    }

    /**
     * The value of a variable.
     *
     * @return null: it is not set
     * @throws AssayException INVALID_INPUT when both forms are set, or when its file cannot be read and never could
     */
    public @Nullable String value(String name) {
        return file(name).map(SecretFile::value).orElseGet(() -> environment.get(name));
    }

    /** Whether the value of {@code name} stands in a file. */
    public boolean isInFile(String name) {
        return file(name).isPresent();
    }

    /** Tells {@code taker} each later value of a variable before {@link #value} says it. When it throws, the value before is kept. */
    public void onChange(String name, Consumer<String> taker) {
        file(name).ifPresent(file -> file.onChange(taker));
    }

    private Optional<SecretFile> file(String name) {
        return files.computeIfAbsent(name, this::found);
    }

    private Optional<SecretFile> found(String name) {
        boolean isSet = !environment.getOrDefault(name, "").isEmpty();
        String path = environment.getOrDefault(name + SUFFIX, "");
        if (isSet && !path.isEmpty()) {
            throw new AssayException(
                    ErrorCode.INVALID_INPUT, name + " and " + name + SUFFIX + " are both set; leave one.");
        }
        if (!path.isEmpty()) {
            return Optional.of(SecretFile.open(name + SUFFIX, Path.of(path)));
        }
        String directory = environment.getOrDefault(DIRECTORY, "");
        if (isSet || directory.isEmpty() || !NAME.matcher(name).matches()) {
            return Optional.empty();
        }
        Path credential = Path.of(directory, name);
        return Files.notExists(credential) ? Optional.empty() : Optional.of(SecretFile.open(DIRECTORY, credential));
    }

    /** Begins to look at the files every 5 s, in a thread that ends with this process. */
    public void watch() {
        if (isWatched.compareAndSet(false, true)) {
            Thread.ofPlatform().daemon().name("secrets").start(this::lookForEver);
        }
    }

    private void lookForEver() {
        try {
            while (true) {
                Thread.sleep(LOOK_EVERY);
                lookUnlessStarved();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void lookUnlessStarved() {
        try {
            look();
        } catch (OutOfMemoryError e) {
            LOG.warn("The files of secrets could not be looked at: no thread could be started", e);
        }
    }

    /** Looks at all files now. A value that cannot be used is left where it is; see {@link #unreadable}. */
    public void look() {
        files.values().forEach(file -> file.ifPresent(SecretFile::look));
    }

    /** The variables whose files cannot be read or used now, by name. Their last values go on. */
    public List<String> unreadable() {
        return files.entrySet().stream()
                .filter(entry ->
                        entry.getValue().filter(SecretFile::isUnreadable).isPresent())
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    /** What the health of this process says of them; empty: all can be read. */
    public Map<String, Object> health() {
        List<String> names = unreadable();
        return names.isEmpty() ? Map.of() : Map.of("code", "SECRET_UNREADABLE", "variables", names);
    }

    /** Never shows a value. */
    @Override
    public String toString() {
        return "SecretVariables" + files.keySet();
    }
}
