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
        return System.getProperty("os.name").equals("Linux") && setDumpable(0) == 0;
    }

    /** Of all system calls it links this one only: every command makes it when it starts. */
    @SuppressWarnings("restricted")
    private static int setDumpable(long value) {
        Linker linker = Linker.nativeLinker();
        MethodHandle prctl = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("prctl"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG),
                Linker.Option.firstVariadicArg(1));
        try {
            return (int) prctl.invokeExact(SET_DUMPABLE, value);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("A handle of the JDK threw what it does not declare", e);
        }
    }
}
