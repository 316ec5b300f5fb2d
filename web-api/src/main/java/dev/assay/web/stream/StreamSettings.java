package dev.assay.web.stream;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;

/**
 * Bounds of streams of events.
 *
 * @param perAddress open at once, of one client's address
 */
@ConfigurationProperties("assay.streams")
record StreamSettings(@Bindable(defaultValue = "100") int perAddress) {}
