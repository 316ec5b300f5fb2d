package dev.assay.domain.isolation;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The tool that runs containers. Users write the constant in lower case, which is also the name of its command. */
public enum ContainerRuntime {
    DOCKER,
    PODMAN;

    /** The word that users write. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** All runtimes by their words. */
    public static Map<String, ContainerRuntime> byWord() {
        return Arrays.stream(values())
                .collect(Collectors.toMap(ContainerRuntime::word, runtime -> runtime, (a, b) -> a, LinkedHashMap::new));
    }
}
