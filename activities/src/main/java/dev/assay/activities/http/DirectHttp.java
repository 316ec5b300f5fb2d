package dev.assay.activities.http;

import java.net.http.HttpClient;
import java.time.Duration;

/** The settings of a client for servers that this worker does not trust: a server cannot send it elsewhere. */
public final class DirectHttp {

    /** The time within which a connection is made, where nothing else is said. */
    public static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(15);

    private DirectHttp() {}

    /** A client of HTTP/1.1 that follows no redirects. */
    public static HttpClient.Builder builder(Duration connectTimeout) {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(connectTimeout);
    }
}
