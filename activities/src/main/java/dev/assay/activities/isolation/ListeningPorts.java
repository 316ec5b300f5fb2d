package dev.assay.activities.isolation;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The TCP ports on which processes of this machine listen, as Linux tells; none elsewhere. */
public final class ListeningPorts {

    private static final Path PROC = Path.of("/proc");
    private static final Pattern SOCKET = Pattern.compile("socket:\\[([0-9]+)]");

    /** Local address and port, remote ones, the state LISTEN, then what has no meaning here, and the inode. */
    private static final Pattern LISTENS = Pattern.compile(
            "\\s*[0-9]+: [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]+:[0-9A-F]{4} 0A \\S+ \\S+ \\S+ +[0-9]+ +[0-9]+ ([0-9]+) .*");

    private ListeningPorts() {}

    /** Whether this system tells who listens. */
    public static boolean areKnown() {
        return Files.isReadable(PROC.resolve("self/net/tcp"));
    }

    /** Those of the processes with {@code pids}. A process whose files are closed to this one has none. */
    public static Set<Integer> of(Collection<Long> pids) {
        Set<String> sockets = new HashSet<>();
        pids.forEach(pid -> sockets.addAll(sockets(pid)));
        Set<Integer> ports = new HashSet<>();
        for (String table : List.of("net/tcp", "net/tcp6")) {
            for (String line : lines(PROC.resolve("self").resolve(table))) {
                Matcher found = LISTENS.matcher(line);
                if (found.matches() && sockets.contains(found.group(2))) {
                    ports.add(Integer.parseInt(found.group(1), 16));
                }
            }
        }
        return ports;
    }

    private static List<String> lines(Path table) {
        try {
            return Files.readAllLines(table);
        } catch (IOException _) {
            // Another system, or one without this version of IP.
            return List.of();
        }
    }

    private static Set<String> sockets(long pid) {
        Set<String> sockets = new HashSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(PROC.resolve(pid + "/fd"))) {
            for (Path file : files) {
                socket(file, sockets);
            }
        } catch (IOException _) {
            // It has ended, or belongs to another user.
            return sockets;
        }
        return sockets;
    }

    private static void socket(Path file, Set<String> sockets) {
        try {
            Matcher socket = SOCKET.matcher(Files.readSymbolicLink(file).toString());
            if (socket.matches()) {
                sockets.add(socket.group(1));
            }
        } catch (IOException _) {
            // It was closed meanwhile.
            return;
        }
    }
}
