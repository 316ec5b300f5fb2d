package dev.assay.activities.command;

import dev.assay.activities.container.Launch;
import dev.assay.activities.isolation.Attempt;
import dev.assay.domain.isolation.IsolationLevel;
import dev.assay.work.child.ChildProcess;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A program in a process group of its own. A watcher in the group reads from a pipe of this process. It ends the group on request,
 * and when this process has died.
 */
final class ProcessGroup implements AutoCloseable {

    private static final byte[] BEGIN = "begin\n".getBytes(StandardCharsets.US_ASCII);

    /** Between SIGTERM and SIGKILL. */
    static final Duration TO_END = Duration.ofSeconds(2);

    private static final Duration TO_DIE = Duration.ofSeconds(2);

    /**
     * Lines of a shell that leads a group. They begin the watcher, which reads from file descriptor 3, and close that. They need {@code
     * container}, {@code client} and {@code attempt}. When the worker has died, the watcher also kills what left the group and is still
     * named as the attempt's.
     */
    static final String WATCHER = """
        ( { trap '' TERM
            read -r word <&3
            case $word in
                end) ;;
                stop) kill -TERM -$$; sleep 2 ;;
                *) if kill -0 $$; then
                       kill -TERM -$$
                       sleep 1
                       for left in $(grep -lsxz "ASSAY_ATTEMPT=$attempt" /proc/[0-9]*/environ); do
                           left=${left#/proc/}
                           kill -KILL "${left%/environ}"
                       done
                       [ -z "$container" ] || "$client" rm --force "$container"
                   fi ;;
            esac
            kill -KILL -$$; } </dev/null >/dev/null 2>&1 & ) || exit
        exec 3<&-
        export ASSAY_ATTEMPT="$attempt"
        """;

    /**
     * The shell that leads the group, and that the program then replaces. Its parameters: the file that holds the program's stdin, a
     * file that is made when the program cannot start, the attempt's name. Then a container and its client, which are empty where there
     * is none, and the line. It waits for a word, since it may be started in walls that no thread of this process may share with a
     * program. The watcher is not a child of the worker, so that a program does not wait for it. Without a watcher no program starts:
     * nothing would end it. The pipe closes when the worker has died, and when the program has ended: then only processes are left that
     * it left behind. The watcher is not named as one of them.
     */
    private static final String LAUNCH = """
        prompt=$1 unstarted=$2 attempt=$3 container=$4 client=$5
        shift 5
        trap ': >"$unstarted"' EXIT
        read -r word || exit
        exec 3<&0
        """ + WATCHER + """
        exec "$@" <"$prompt"
        """;

    /** The program as a job, where there is no {@code setsid}: a shell that controls jobs gives each job a group, too. */
    private static final String AS_A_JOB = "set -m; sh -c \"$0\" assay-agent \"$@\" <&0 & wait $!";

    /** Found by its path: a search along PATH costs an attempt to start a program for each directory before it. */
    private static final String SHELL = "/bin/sh";

    private static final Optional<String> SETSID = Stream.of("/usr/bin/setsid", "/bin/setsid")
            .filter(path -> Files.isExecutable(Path.of(path)))
            .findFirst();

    private final Process process;
    private final Path unstarted;
    private final Attempt attempt;
    private final Capture stdout;
    private final Capture stderr;

    private ProcessGroup(Process process, Path unstarted, Attempt attempt) {
        this.process = process;
        this.attempt = attempt;
        this.unstarted = unstarted;
        this.stdout = new Capture(process.getInputStream());
        this.stderr = new Capture(process.getErrorStream());
    }

    /**
     * Starts {@code line}.
     *
     * @throws IOException when the system starts no process, or not in the walls of the attempt
     */
    static ProcessGroup start(List<String> line, TrialDirectory directory, Attempt attempt)
            throws IOException, InterruptedException {
        Launch launch = attempt.launch(directory.program(line));
        ProcessBuilder builder = ChildProcess.with(launch(launch, directory), launch.environment())
                .directory(directory.work().toFile());
        Process process = null;
        try {
            process = attempt.start(builder);
            ProcessGroup group = new ProcessGroup(process, directory.unstarted(), attempt);
            group.begin();
            return group;
        } catch (OutOfMemoryError e) {
            // No thread could be started to wait for it, or to read what it prints.
            if (process != null) {
                process.getOutputStream().close();
            }
            throw new IOException(SystemLimit.NO_THREAD, e);
        }
    }

    /** The command that starts {@code launch} in a group with a watcher. */
    static List<String> launch(Launch launch, TrialDirectory directory) {
        return launch(launch, LAUNCH, directory.prompt(), directory);
    }

    /** The same for a {@code script} of another kind. */
    static List<String> launch(Launch launch, String script, Path first, TrialDirectory directory) {
        List<String> command = new ArrayList<>(SETSID.stream().toList());
        command.addAll(List.of(SHELL, "-c"));
        command.addAll(SETSID.isPresent() ? List.of(script, "assay-agent") : List.of(AS_A_JOB, script));
        command.addAll(List.of(first.toString(), directory.unstarted().toString(), directory.id()));
        String container = launch.container();
        command.addAll(
                container == null
                        ? List.of("", "")
                        : List.of(container, launch.line().getFirst()));
        command.addAll(launch.line());
        return command;
    }

    private void begin() {
        try {
            OutputStream pipe = process.getOutputStream();
            pipe.write(BEGIN);
            pipe.flush();
        } catch (IOException _) {
            // The shell has ended, and says why.
            return;
        }
    }

    /** Waits for the program. True when it ended in time. */
    boolean await(Duration atMost) throws InterruptedException {
        return process.waitFor(atMost.toNanos(), TimeUnit.NANOSECONDS);
    }

    /**
     * Asks the group to end, kills it {@link #TO_END} later, and waits until the program has ended. It handles an interrupt only
     * then.
     */
    void stop() {
        tell("stop");
        boolean interrupted = Thread.interrupted();
        long deadline = System.nanoTime() + TO_END.plus(TO_DIE).toNanos();
        while (process.isAlive() && System.nanoTime() < deadline) {
            try {
                var _ = process.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Kills processes that the program left behind, and waits for the rest of the output. */
    void end() throws InterruptedException {
        tell("end");
        attempt.killLeft();
        stdout.awaitEnd(TO_DIE);
        stderr.awaitEnd(TO_DIE);
    }

    private void tell(String word) {
        try (OutputStream pipe = process.getOutputStream()) {
            pipe.write((word + "\n").getBytes(StandardCharsets.US_ASCII));
        } catch (IOException _) {
            // The program has ended, and the JDK closed the pipe: the watcher ends what is left.
            return;
        }
    }

    /** Whether the program could be started. */
    boolean hasStarted() {
        return !Files.exists(unstarted) && !attempt.isRefusal(exitCode(), stderr.bytes());
    }

    /** The exit code of the program, 128 + n for signal n. */
    int exitCode() {
        return process.exitValue();
    }

    /** How far it is kept apart. */
    IsolationLevel isolation() {
        return attempt.level();
    }

    Capture stdout() {
        return stdout;
    }

    Capture stderr() {
        return stderr;
    }

    /** Kills the group, unless it was asked to end. */
    @Override
    public void close() {
        tell("end");
    }
}
