package dev.assay.work.confine;

import static dev.assay.work.confine.NativeCalls.checked;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Another user, which a thread of root becomes. The C library would change all threads of the process; these system calls change
 * one.
 *
 * @param id of the user and of its group, at least 1
 */
public record OtherUser(int id) implements Restriction {

    private static final int EVERY_PROCESS = -1;
    private static final int KILL = 9;

    /** The numbers of the system calls, which differ between processors. */
    private record Calls(long setGroups, long setGroup, long setUser, long kill) {}

    private static final Map<String, Calls> NUMBERS = Map.of(
            "amd64", new Calls(116, 119, 117, 62),
            "aarch64", new Calls(159, 149, 147, 129));

    private static final @Nullable Calls CALLS =
            System.getProperty("os.name").equals("Linux") ? NUMBERS.get(System.getProperty("os.arch")) : null;

    public OtherUser {
        if (id < 1) {
            throw new IllegalArgumentException("Root is no other user");
        }
    }

    /** Whether threads of this process can become other users: it is root, on a processor whose calls are known. */
    public static boolean isPossible() {
        return CALLS != null && isRoot();
    }

    /** Whether this process is root's. */
    public static boolean isRoot() {
        return NativeCalls.user() == 0;
    }

    /** Makes the calling thread the user's, without any further group or capability. */
    @Override
    public void restrictSelf() throws IOException {
        become(id);
        checked(NativeCalls.setNoNewPrivileges(), "The thread could not give up to gain rights");
    }

    /** @param real its real and saved user; only to this one and to root others may send signals */
    private void become(int real) throws IOException {
        if (Thread.currentThread().isVirtual()) {
            throw new IllegalStateException("Threads of the system have users, not virtual ones");
        }
        Calls calls = CALLS;
        if (calls == null) {
            throw new IOException("A thread can become another user on Linux only, on x86-64 and AArch64");
        }
        checked(NativeCalls.systemCall(calls.setGroups(), 0, 0, 0, 0), "The thread could not leave its groups");
        checked(NativeCalls.systemCall(calls.setGroup(), id, id, id, 0), "The thread could not join group " + id);
        checked(NativeCalls.systemCall(calls.setUser(), real, id, real, 0), "The thread could not become user " + id);
    }

    /**
     * Kills every process of the user at once. None escapes by starting others meanwhile. A caller that is interrupted stays so, and
     * learns of no failure.
     *
     * @param real another user, as which nothing runs: the thread that kills is no target for what it kills
     * @throws IOException when no thread can become the user
     */
    public void killAll(OtherUser real) throws IOException {
        try {
            ConfinedThread.callWith("kill-of-user", List.of(() -> become(real.id)), this::killOwn);
        } catch (ExecutionException e) {
            throw new IOException("The processes of user " + id + " could not be killed", e.getCause());
        } catch (InterruptedException _) {
            // The thread that kills is waited for all the same.
            Thread.currentThread().interrupt();
        }
    }

    private boolean killOwn() throws IOException {
        Calls calls = CALLS;
        if (calls == null || NativeCalls.user() != id) {
            throw new IOException("The thread is not user " + id);
        }
        // Without any process the system says that there is none.
        return !NativeCalls.systemCall(calls.kill(), EVERY_PROCESS, KILL, 0, 0).isError();
    }
}
