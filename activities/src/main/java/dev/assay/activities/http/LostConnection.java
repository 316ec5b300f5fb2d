package dev.assay.activities.http;

import dev.assay.domain.limit.outage.OutageSignal;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** The reasons for which a connection could not be made, or ended before its answer. */
public final class LostConnection {

    private LostConnection() {}

    /** What it says of whether the other side is there. */
    public static OutageSignal signal(IOException failure) {
        boolean isUnreachable = failure instanceof HttpConnectTimeoutException
                || failure instanceof ConnectException
                || isUnknownHost(failure)
                || tlsFailure(failure) != null;
        return isUnreachable ? OutageSignal.UNREACHABLE : OutageSignal.BROKEN;
    }

    /** Whether its host has no address. */
    public static boolean isUnknownHost(Throwable failure) {
        Throwable root = root(failure);
        return root instanceof UnresolvedAddressException || root instanceof UnknownHostException;
    }

    /** The first of its causes that has none. */
    public static Throwable root(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    /**
     * The failed handshake; null: it did not fail. The client reports one as such, or as the cause of a connection that ended:
     * whichever it sees first.
     */
    public static @Nullable SSLException tlsFailure(Throwable failure) {
        Throwable cause = failure;
        while (cause != null && !(cause instanceof SSLException)) {
            cause = cause.getCause();
        }
        return (SSLException) cause;
    }
}
