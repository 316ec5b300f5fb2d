package dev.assay.web.access;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.util.Set;

/**
 * The rules of access to the API.
 *
 * @param tokens whether requests need tokens; else only those to loopback are answered
 * @param hosts names that are trusted beside those of loopback where no tokens are needed
 * @param nobody the name of creators where no tokens are needed
 */
@ConfigurationProperties("assay.access")
record AccessSettings(
        @Bindable(defaultValue = "false") boolean tokens,
        @Bindable(defaultValue = "") Set<String> hosts,
        @Bindable(defaultValue = "local") String nobody) {}
