package dev.assay.activities.container;

import dev.assay.domain.isolation.AttemptLimits;
import dev.assay.domain.isolation.ContainerRuntime;
import dev.assay.work.confine.OtherUser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The container of one attempt.
 *
 * @param limits what it may take
 * @param network that it is on; null: none, not even with this machine
 */
public record Container(
        Containers all,
        String attempt,
        String image,
        AttemptLimits limits,
        @Nullable ContainerNetwork network) {

    /** The variable that names the attempt, which the launched shell sets. */
    public static final String ATTEMPT = "ASSAY_ATTEMPT";

    private static final String BEGIN = "assay-";

    /** Those of one worker, whatever the attempt. */
    private static final String LABEL = "assay.worker=";

    private static final String WORK = "/work";
    private static final String HOME = "/home/agent";

    /** Variables that mean something else in the image than on this machine. */
    private static final Set<String> OF_THE_IMAGE = Set.of("PATH", "HOME", "TMPDIR");

    /** Exit codes by which clients say that the program did not start, as programs may, too. */
    private static final Set<Integer> REFUSED = Set.of(125, 126, 127);

    /** The words of the clients, and of the process that starts the program in the container. */
    private static final Pattern REFUSAL =
            Pattern.compile("^(docker: |Error: |\\[FATAL tini|ERROR \\(catatonit)", Pattern.MULTILINE);

    /** The label of the containers of one worker. */
    static String label(String worker) {
        return LABEL + worker;
    }

    String name() {
        return BEGIN + attempt;
    }

    /**
     * The client that runs {@code program} in this container.
     *
     * @throws IOException when the owner of its directory cannot be read
     */
    public Launch launch(Launch.Program program) throws IOException {
        ContainerClient client = all.client();
        Map<String, String> environment = new TreeMap<>(program.environment());
        environment.putAll(client.environment());
        List<String> line = new ArrayList<>(List.of(client.program(), "run", "--rm", "-i", "--init", "--pull=never"));
        // What a runtime logs has no bound.
        line.addAll(List.of("--log-driver", "none", "--name", name(), "--label", label(worker())));
        line.addAll(walls());
        line.addAll(place(program));
        for (String name : names(program)) {
            // The value is in the client's environment: what others see of processes is the argument list.
            line.addAll(List.of("--env", name));
        }
        line.addAll(List.of("--env", "HOME=" + HOME, "--env", "TMPDIR=/tmp", "--entrypoint", "", image));
        line.addAll(program.line());
        return new Launch(line, environment, name());
    }

    private static Set<String> names(Launch.Program program) {
        Set<String> names = new TreeSet<>(program.environment().keySet());
        names.removeAll(OF_THE_IMAGE);
        names.add(ATTEMPT);
        return names;
    }

    private String worker() {
        int end = attempt.lastIndexOf('-');
        return end < 0 ? attempt : attempt.substring(0, end);
    }

    private List<String> walls() {
        List<String> walls = new ArrayList<>();
        if (network == null) {
            walls.addAll(List.of("--network", "none"));
        } else {
            walls.addAll(List.of("--network", network.name()));
            if (!all.isNetworkOpen()) {
                // A runtime's own resolver may ask the world in the container's place.
                walls.addAll(List.of("--dns", network.gateway().getHostAddress()));
            }
        }
        String memory = limits.memoryMb() + "m";
        walls.addAll(List.of("--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--read-only"));
        walls.addAll(List.of("--pids-limit", String.valueOf(limits.processes()), "--memory", memory));
        // As much as the memory alone: none of it is swap.
        walls.addAll(List.of("--memory-swap", memory));
        if (limits.cpus() != null) {
            walls.addAll(List.of("--cpus", limits.cpus().toPlainString()));
        }
        return walls;
    }

    /** Its files and its user, who owns them. */
    private List<String> place(Launch.Program program) throws IOException {
        Path below = program.workspace().relativize(program.work());
        List<String> place = new ArrayList<>(List.of("--tmpfs", "/tmp"));
        place.addAll(List.of("-v", program.workspace() + ":" + WORK, "-v", program.home() + ":" + HOME));
        place.addAll(List.of("-w", below.toString().isEmpty() ? WORK : WORK + "/" + below));
        place.addAll(List.of(
                "--user",
                Files.getAttribute(program.workspace(), "unix:uid") + ":"
                        + Files.getAttribute(program.workspace(), "unix:gid")));
        if (all.client().runtime() == ContainerRuntime.PODMAN && !OtherUser.isRoot()) {
            place.addAll(List.of("--userns", "keep-id"));
        }
        return place;
    }

    /** Whether what a client printed says that the program did not start. */
    public static boolean isRefusal(int exitCode, String said) {
        return REFUSED.contains(exitCode) && REFUSAL.matcher(said).find();
    }

    /** Kills and removes it. */
    public void remove() {
        all.remove(name());
    }
}
