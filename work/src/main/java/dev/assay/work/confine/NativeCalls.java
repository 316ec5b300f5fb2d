package dev.assay.work.confine;

import java.io.IOException;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/** System calls of Linux that Java has no method for. Only this package makes them. */
final class NativeCalls {

    /** The numbers are the same on all processors. */
    static final long CREATE_RULESET = 444;

    static final long ADD_RULE = 445;
    static final long RESTRICT_SELF = 446;

    private static final int OF_THREAD = 0;
    private static final int SET_NO_NEW_PRIVS = 38;
    private static final int SET_SECCOMP = 22;
    private static final long MODE_FILTER = 2;
    private static final int OPEN_PATH_CLOSE_ON_EXEC = 0x280000;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final AddressLayout ADDRESS = ValueLayout.ADDRESS;

    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private static final MethodHandle SYSTEM_CALL =
            function("syscall", 1, FunctionDescriptor.of(LONG, LONG, LONG, LONG, LONG, LONG));
    private static final MethodHandle OPEN = function("open", 2, FunctionDescriptor.of(INT, ADDRESS, INT));
    private static final MethodHandle CLOSE = function("close", 1, FunctionDescriptor.of(INT, INT));
    private static final MethodHandle PRCTL =
            function("prctl", 1, FunctionDescriptor.of(INT, INT, LONG, LONG, LONG, LONG));
    private static final MethodHandle GET_PRIORITY = function("getpriority", 2, FunctionDescriptor.of(INT, INT, INT));
    private static final MethodHandle SET_PRIORITY =
            function("setpriority", 3, FunctionDescriptor.of(INT, INT, INT, INT));
    private static final MethodHandle USER = function("geteuid", 0, FunctionDescriptor.of(INT));

    private NativeCalls() {}

    /** @param fixed parameters before those that C leaves open */
    @SuppressWarnings("restricted")
    private static MethodHandle function(String name, int fixed, FunctionDescriptor descriptor) {
        Linker linker = Linker.nativeLinker();
        Linker.Option errno = Linker.Option.captureCallState("errno");
        MemorySegment address = linker.defaultLookup().findOrThrow(name);
        return fixed < descriptor.argumentLayouts().size()
                ? linker.downcallHandle(address, descriptor, errno, Linker.Option.firstVariadicArg(fixed))
                : linker.downcallHandle(address, descriptor, errno);
    }

    /** An answer of the system: at least 0, or the number of an error. */
    record Answer(long value, int errno) {

        boolean isError() {
            return value < 0;
        }
    }

    private interface Call {
        long run(MemorySegment state) throws Throwable;
    }

    private static Answer call(Call call) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            long value = call.run(state);
            return new Answer(value, (int) ERRNO.get(state, 0L));
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("A handle of the JDK threw what it does not declare", e);
        }
    }

    static Answer systemCall(long number, long first, long second, long third, long fourth) {
        return call(state -> (long) SYSTEM_CALL.invokeExact(state, number, first, second, third, fourth));
    }

    /** Opens a file or directory for nothing but to name it in a rule. */
    static Answer openPath(String path) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocateFrom(path);
            return call(state -> (int) OPEN.invokeExact(state, name, OPEN_PATH_CLOSE_ON_EXEC));
        }
    }

    static void close(int descriptor) {
        call(state -> (int) CLOSE.invokeExact(state, descriptor));
    }

    /** The thread and what it starts never gain rights, as by a setuid program. Landlock asks for it. */
    static Answer setNoNewPrivileges() {
        return call(state -> (int) PRCTL.invokeExact(state, SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L));
    }

    /**
     * Filters the system calls of the thread and of what it starts.
     *
     * @param program where the filter lies; 0: nothing is changed, and the error says whether there are filters
     */
    static Answer setFilter(long program) {
        return call(state -> (int) PRCTL.invokeExact(state, SET_SECCOMP, MODE_FILTER, program, 0L, 0L));
    }

    /** Puts a thread, named by its id in the system, so much further behind others; it cannot get behind 19. */
    static Answer addNice(int thread, int more) {
        // -1 is a value, too.
        int now = (int) call(state -> (int) GET_PRIORITY.invokeExact(state, OF_THREAD, thread))
                .value();
        return call(state -> (int) SET_PRIORITY.invokeExact(state, OF_THREAD, thread, now + more));
    }

    /** The id of the calling thread's user. */
    static long user() {
        return call(state -> (int) USER.invokeExact(state)).value();
    }

    /** @throws IOException with {@code failure} and the number of the error, when the answer is one */
    static long checked(Answer answer, String failure) throws IOException {
        if (answer.isError()) {
            throw new IOException(failure + ": error=" + answer.errno());
        }
        return answer.value();
    }
}
