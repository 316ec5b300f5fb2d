package dev.assay.work.confine;

import static dev.assay.work.confine.NativeCalls.ADD_RULE;
import static dev.assay.work.confine.NativeCalls.CREATE_RULESET;
import static dev.assay.work.confine.NativeCalls.RESTRICT_SELF;
import static dev.assay.work.confine.NativeCalls.checked;

import dev.assay.work.confine.NativeCalls.Answer;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Set;

/**
 * A ruleset of Landlock: the walls that it puts up, and the rules that open doors in them. It may be made on any thread and restrict
 * several. A restricted thread stays so, with the threads and processes that it starts; all others are free.
 */
public final class Landlock implements Restriction, AutoCloseable {

    private static final int VERSION = versionOfTheSystem();

    /** Rights on files and directories, by the version that brought them. */
    private static final long EXECUTE = 1;

    private static final long WRITE_FILE = 1 << 1;
    private static final long READ_FILE = 1 << 2;
    private static final long READ_DIRECTORY = 1 << 3;
    private static final long MAKE_CHARACTER_DEVICE = 1 << 6;
    private static final long MAKE_BLOCK_DEVICE = 1 << 11;
    private static final long FIRST = (1 << 13) - 1;
    private static final long REFER = 1 << 13;
    private static final long TRUNCATE = 1 << 14;
    private static final long CONTROL_DEVICE = 1 << 15;

    /** The rights that a file has; a rule for one may name no others. */
    private static final long OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | CONTROL_DEVICE;

    private static final long READ = EXECUTE | READ_FILE | READ_DIRECTORY;
    private static final long BIND_TCP = 1;
    private static final long CONNECT_TCP = 1 << 1;
    private static final long ABSTRACT_SOCKETS_AND_SIGNALS = 3;

    private static final long BENEATH = 1;
    private static final long PORT = 2;
    private static final int PORTS = 65_536;

    private final long files;
    private final int descriptor;

    private Landlock(long files, int descriptor) {
        this.files = files;
        this.descriptor = descriptor;
    }

    /** The version of Landlock that the system has; 0 where it has none. */
    public static int version() {
        return VERSION;
    }

    private static int versionOfTheSystem() {
        if (!System.getProperty("os.name").equals("Linux")) {
            return 0;
        }
        Answer version = NativeCalls.systemCall(CREATE_RULESET, 0, 0, 1, 0);
        return version.isError() ? 0 : (int) version.value();
    }

    /**
     * Makes a ruleset without rules.
     *
     * @param walls what it closes; those that {@link #version} does not know stay open
     * @throws IOException when the system has no Landlock, or knows none of the walls
     */
    public static Landlock closing(Set<Wall> walls) throws IOException {
        if (VERSION == 0) {
            throw new IOException("This system has no Landlock; Linux 5.13 or newer has it");
        }
        long files = walls.contains(Wall.FILES) ? rights() : 0;
        long ports = VERSION < 4
                ? 0
                : (walls.contains(Wall.BIND) ? BIND_TCP : 0) | (walls.contains(Wall.CONNECT) ? CONNECT_TCP : 0);
        long scopes = VERSION >= 6 && walls.contains(Wall.PROCESSES) ? ABSTRACT_SOCKETS_AND_SIGNALS : 0;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = arena.allocateFrom(ValueLayout.JAVA_LONG, files, ports, scopes);
            long size = VERSION < 4 ? 8 : VERSION < 6 ? 16 : 24;
            Answer made = NativeCalls.systemCall(CREATE_RULESET, attributes.address(), size, 0, 0);
            return new Landlock(files, (int) checked(made, "A ruleset of Landlock could not be made"));
        }
    }

    private static long rights() {
        return FIRST | (VERSION >= 2 ? REFER : 0) | (VERSION >= 3 ? TRUNCATE : 0) | (VERSION >= 5 ? CONTROL_DEVICE : 0);
    }

    /**
     * Lets files and directories be read and executed, with all that is below them.
     *
     * @return this
     * @throws IOException when one is not there
     */
    public Landlock readExecute(Collection<Path> paths) throws IOException {
        return open(paths, READ);
    }

    /**
     * Lets files and directories be read, executed and changed, with all that is below them. Nothing makes devices.
     *
     * @return this
     * @throws IOException when one is not there
     */
    public Landlock readWrite(Collection<Path> paths) throws IOException {
        return open(paths, ~(MAKE_CHARACTER_DEVICE | MAKE_BLOCK_DEVICE));
    }

    private Landlock open(Collection<Path> paths, long rights) throws IOException {
        for (Path path : paths) {
            Answer opened = NativeCalls.openPath(path.toString());
            if (opened.isError()) {
                throw new NoSuchFileException(path.toString(), null, "no rule can name it, error " + opened.errno());
            }
            int beneath = (int) opened.value();
            try (Arena arena = Arena.ofConfined()) {
                long named = rights & files & (Files.isDirectory(path) ? -1 : OF_FILES);
                MemorySegment rule = arena.allocate(12, 8);
                rule.set(ValueLayout.JAVA_LONG, 0, named);
                rule.set(ValueLayout.JAVA_INT, 8, beneath);
                add(BENEATH, rule, path.toString());
            } finally {
                NativeCalls.close(beneath);
            }
        }
        return this;
    }

    /**
     * Lets TCP connect to a port, wherever it is.
     *
     * @return this
     * @throws IOException when connections are not closed by this ruleset
     */
    public Landlock connect(int port) throws IOException {
        if (port < 0 || port >= PORTS) {
            throw new IllegalArgumentException("A port is a number from 0 to 65535, not " + port);
        }
        try (Arena arena = Arena.ofConfined()) {
            add(PORT, arena.allocateFrom(ValueLayout.JAVA_LONG, CONNECT_TCP, port), "port " + port);
        }
        return this;
    }

    /**
     * Lets TCP connect to every port but {@code closed}. Landlock knows no ranges: this makes a rule for each, which takes a while. Make
     * such a ruleset once.
     *
     * @return this
     * @throws IOException when connections are not closed by this ruleset
     */
    public Landlock connectAllBut(Set<Integer> closed) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment rule = arena.allocateFrom(ValueLayout.JAVA_LONG, CONNECT_TCP, 0);
            for (int port = 0; port < PORTS; port++) {
                if (!closed.contains(port)) {
                    rule.setAtIndex(ValueLayout.JAVA_LONG, 1, port);
                    add(PORT, rule, "port " + port);
                }
            }
        }
        return this;
    }

    private void add(long type, MemorySegment rule, String what) throws IOException {
        checked(
                NativeCalls.systemCall(ADD_RULE, descriptor, type, rule.address(), 0),
                "A rule of Landlock for " + what + " could not be made");
    }

    /**
     * Restricts the calling thread for the rest of its life. A restricted thread should do nothing but its own work and
     * end. What it starts is restricted, too, such as a thread of a pool that it makes grow.
     *
     * @throws IllegalStateException on a virtual thread, whose carrier would be restricted
     * @throws IOException when the system refuses
     */
    @Override
    public void restrictSelf() throws IOException {
        if (Thread.currentThread().isVirtual()) {
            throw new IllegalStateException("Landlock restricts threads of the system, not virtual ones");
        }
        checked(NativeCalls.setNoNewPrivileges(), "The thread could not give up to gain rights");
        checked(
                NativeCalls.systemCall(RESTRICT_SELF, descriptor, 0, 0, 0),
                "The thread could not be restricted by Landlock");
    }

    /** Closes the ruleset. Threads that it restricts stay restricted. */
    @Override
    public void close() {
        NativeCalls.close(descriptor);
    }
}
