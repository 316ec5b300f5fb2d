package dev.assay.activities.operator;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The home of the user who runs this process: what {@code ~} stands for. */
public final class UserHome {

    /** System property: the home in the system's list of users, where the launcher gave Java another one. */
    static final String LISTED = "assay.home.listed";

    private static final String JAVA_HOME_OF_USER = "user.home";

    private UserHome() {}

    /** {@code $HOME} where it is an absolute path, else the home that Java knows. */
    public static Path directory() {
        return of(System.getenv("HOME"), System.getProperty(JAVA_HOME_OF_USER));
    }

    static Path of(@Nullable String variable, String otherwise) {
        Path named = Path.of(Objects.requireNonNullElse(variable, ""));
        return named.isAbsolute() ? named : Path.of(otherwise);
    }

    /**
     * The directory {@code name} that commands used before they took {@code $HOME}: it is in the home of the system's list of users.
     * Null where that is the same home, where it holds none, or where the one in use exists.
     */
    public static @Nullable Path overlooked(String name) {
        String listed = System.getProperty(LISTED, System.getProperty(JAVA_HOME_OF_USER));
        return overlooked(directory().resolve(name), Path.of(listed).resolve(name));
    }

    static @Nullable Path overlooked(Path used, Path listed) {
        return !used.equals(listed) && Files.notExists(used) && Files.isDirectory(listed) ? listed : null;
    }
}
