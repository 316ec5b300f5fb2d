package dev.assay.work.confine;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Map;

/** This process, as others of its user see it. */
public final class OwnProcess {

    /** The word of a health on a process that is open. */
    public static final String OPEN = "This process may be read by others of its user (ASSAY_DUMPABLE)";

    private static final String VARIABLE = "ASSAY_DUMPABLE";

    private static final int SET_DUMPABLE = 4;

    private OwnProcess() {}

    /** Whether {@code environment} asks for a process that others of its user may read. */
    public static boolean isOpen(Map<String, String> environment) {
        return environment.getOrDefault(VARIABLE, "").equals("1");
    }

    /**
     * Hides its environment, memory and files from other processes of its user: on Linux its entries in {@code /proc} belong to root
     * from now on. Core dumps, {@code jcmd} and profilers go, too. Processes that it starts are not hidden.
     *
     * @return whether it is hidden; false on other systems
     */
    public static boolean hide() {
        return isLinux() && setDumpable(0) == 0;
    }

    /**
     * Ends this process at once, without the JVM's hooks; what it wrote is flushed. {@link System#exit} waits 0.3 s for threads that
     * wait in the system. The JDK's thread that watches the sockets of virtual threads always does. On systems other than Linux this does
     * nothing.
     */
    public static void end(int code) {
        if (isLinux()) {
            System.out.flush();
            System.err.flush();
            exit(code);
        }
    }

    private static boolean isLinux() {
        return System.getProperty("os.name").equals("Linux");
    }

    private static int setDumpable(long value) {
        try {
            return (int) call(
                            "prctl",
                            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG),
                            Linker.Option.firstVariadicArg(1))
                    .invokeExact(SET_DUMPABLE, value);
        } catch (Throwable e) {
            throw undeclared(e);
        }
    }

    private static void exit(int code) {
        try {
            call("_exit", FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT)).invokeExact(code);
        } catch (Throwable e) {
            throw undeclared(e);
        }
    }

    /** Links one system call, and no others: every command makes one when it starts. */
    @SuppressWarnings("restricted")
    private static MethodHandle call(String name, FunctionDescriptor shape, Linker.Option... options) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), shape, options);
    }

    private static RuntimeException undeclared(Throwable thrown) {
        return switch (thrown) {
            case RuntimeException known -> known;
            case Error known -> throw known;
            default -> new IllegalStateException("A handle of the JDK threw what it does not declare", thrown);
        };
    }
}
