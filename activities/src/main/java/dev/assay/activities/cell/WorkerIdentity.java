package dev.assay.activities.cell;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * The identity of this worker, new at each start, so that what an earlier process held is never taken for its own.
 *
 * @param id unique
 */
public record WorkerIdentity(String id, String host, long pid) {

    /** The identity of this process. */
    public static WorkerIdentity create() {
        byte[] random = new byte[6];
        new SecureRandom().nextBytes(random);
        long pid = ProcessHandle.current().pid();
        String host = hostName();
        return new WorkerIdentity(host + "-" + pid + "-" + HexFormat.of().formatHex(random), host, pid);
    }

    /** The name of this machine. */
    public static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
