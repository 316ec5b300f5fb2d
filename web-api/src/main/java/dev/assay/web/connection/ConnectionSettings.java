package dev.assay.web.connection;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * Bounds of connections.
 *
 * @param max open at once, from all addresses together
 * @param headerTimeout from the connection or the first byte of a request to the end of its headers
 * @param bodyWindow in each such time of a body at least 64 KiB arrive and a fifth of the length that it announces, or its end. Of an
 *     answer 64 KiB are read, or all that waits for its client
 * @param heap bytes of the heap that requests share; 0: the largest size of this process's heap
 */
@ConfigurationProperties("assay.connections")
record ConnectionSettings(
        @Bindable(defaultValue = "1000") int max,
        @Bindable(defaultValue = "10s") Duration headerTimeout,
        @Bindable(defaultValue = "60s") Duration bodyWindow,
        @Bindable(defaultValue = "0") long heap) {}
