package dev.assay.work.confine;

import static dev.assay.work.confine.NativeCalls.checked;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A filter of system calls that closes the ways around Landlock's wall of TCP ports. Landlock looks at {@code connect} of a TCP
 * socket. Multipath TCP, SMC, TCP Fast Open and {@code io_uring} reach the same ports without it. Programs that use these
 * fall back to what is left.
 */
public final class PortFilter implements Restriction {

    /** The filter's instructions: load a word, compare it, look for bits in it, answer. */
    private static final int LOAD = 0x20;

    private static final int EQUAL = 0x15;
    private static final int ABOVE = 0x25;
    private static final int BITS = 0x45;
    private static final int ANSWER = 0x06;

    private static final int ALLOW = 0x7fff0000;
    private static final int ERROR = 0x00050000;

    /** Errors: not permitted, no such call, no such protocol, not supported. */
    private static final int EPERM = 1;

    private static final int ENOSYS = 38;
    private static final int EPROTONOSUPPORT = 93;
    private static final int EOPNOTSUPP = 95;

    /** Where the data of a call lie: its number, the processor, and the lower half of each argument. */
    private static final int NUMBER = 0;

    private static final int PROCESSOR = 4;
    private static final int ARGUMENTS = 16;

    private static final int FAST_OPEN = 0x20000000;
    private static final int FAMILY_SMC = 43;

    /** Protocols of IP have 8 bits. What is above stands for Multipath TCP and SMC. */
    private static final int LAST_PROTOCOL = 255;

    /** On x86-64 a second set of numbers for the same calls. */
    private static final int OTHER_NUMBERS = 0x3fffffff;

    private static final int IO_URING_SETUP = 425;
    private static final int FAULT = 14;
    private static final int INSTRUCTION = 8;

    /** The numbers of the system calls, which differ between processors. */
    private record Calls(int processor, int socket, int sendTo, int sendMessage, int sendMessages) {}

    private static final Map<String, Calls> NUMBERS = Map.of(
            "amd64", new Calls(0xc000003e, 41, 44, 46, 307),
            "aarch64", new Calls(0xc00000b7, 198, 206, 211, 269));

    private static final @Nullable Calls CALLS =
            System.getProperty("os.name").equals("Linux") ? NUMBERS.get(System.getProperty("os.arch")) : null;

    /** One instruction: where it goes on counts from the next one. */
    private record Step(int code, int ifTrue, int ifFalse, int value) {}

    /** The filter for the system. It lives as long as this, with the instructions that it names. */
    private final MemorySegment program;

    /** Whether the system filters calls, on a processor whose calls are known. */
    public static boolean isPossible() {
        return CALLS != null && NativeCalls.setFilter(0).errno() == FAULT;
    }

    private static List<Step> steps(Calls calls) {
        List<Step> steps = new ArrayList<>();
        steps.add(new Step(LOAD, 0, 0, PROCESSOR));
        // Calls of another processor, as of 32-bit programs, hide their arguments.
        steps.add(new Step(EQUAL, 1, 0, calls.processor()));
        steps.add(new Step(ANSWER, 0, 0, ERROR | EPERM));
        steps.add(new Step(LOAD, 0, 0, NUMBER));
        steps.add(new Step(ABOVE, 0, 1, OTHER_NUMBERS));
        steps.add(new Step(ANSWER, 0, 0, ERROR | ENOSYS));
        steps.add(new Step(EQUAL, 0, 1, IO_URING_SETUP));
        steps.add(new Step(ANSWER, 0, 0, ERROR | ENOSYS));
        refuse(steps, calls.socket(), 0, EQUAL, FAMILY_SMC, EPROTONOSUPPORT);
        refuse(steps, calls.socket(), 2, ABOVE, LAST_PROTOCOL, EPROTONOSUPPORT);
        refuse(steps, calls.sendTo(), 3, BITS, FAST_OPEN, EOPNOTSUPP);
        refuse(steps, calls.sendMessage(), 2, BITS, FAST_OPEN, EOPNOTSUPP);
        refuse(steps, calls.sendMessages(), 3, BITS, FAST_OPEN, EOPNOTSUPP);
        steps.add(new Step(ANSWER, 0, 0, ALLOW));
        return steps;
    }

    /** Refuses a call by one of its arguments. It begins and ends with the call's number loaded. */
    private static void refuse(List<Step> steps, int call, int argument, int comparison, int value, int error) {
        steps.add(new Step(EQUAL, 0, 4, call));
        steps.add(new Step(LOAD, 0, 0, ARGUMENTS + 8 * argument));
        steps.add(new Step(comparison, 0, 1, value));
        steps.add(new Step(ANSWER, 0, 0, ERROR | error));
        steps.add(new Step(LOAD, 0, 0, NUMBER));
    }

    /** @throws IOException when the calls of this processor are not known */
    public PortFilter() throws IOException {
        Calls calls = CALLS;
        if (calls == null) {
            throw new IOException("Calls are filtered on Linux only, on x86-64 and AArch64");
        }
        List<Step> steps = steps(calls);
        Arena arena = Arena.ofAuto();
        MemorySegment filter = arena.allocate((long) INSTRUCTION * steps.size(), INSTRUCTION);
        for (int i = 0; i < steps.size(); i++) {
            long at = (long) INSTRUCTION * i;
            Step step = steps.get(i);
            filter.set(ValueLayout.JAVA_SHORT, at, (short) step.code());
            filter.set(ValueLayout.JAVA_BYTE, at + 2, (byte) step.ifTrue());
            filter.set(ValueLayout.JAVA_BYTE, at + 3, (byte) step.ifFalse());
            filter.set(ValueLayout.JAVA_INT, at + 4, step.value());
        }
        this.program = arena.allocate(16, 8);
        program.set(ValueLayout.JAVA_SHORT, 0, (short) steps.size());
        program.set(ValueLayout.JAVA_LONG, 8, filter.address());
    }

    @Override
    public void restrictSelf() throws IOException {
        checked(NativeCalls.setNoNewPrivileges(), "The thread could not give up to gain rights");
        checked(NativeCalls.setFilter(program.address()), "The thread's calls could not be filtered");
    }
}
