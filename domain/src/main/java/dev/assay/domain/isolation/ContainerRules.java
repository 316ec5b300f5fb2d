package dev.assay.domain.isolation;

import org.jspecify.annotations.Nullable;

/**
 * The operator's rules for containers of programs.
 *
 * @param image of programs that have none of their own; null: there is none
 * @param networkOpen whether programs reach other networks
 */
public record ContainerRules(@Nullable String image, ContainerRuntime runtime, boolean networkOpen) {

    /** No image is named, so nothing runs in a container. */
    public static final ContainerRules NONE = new ContainerRules(null, ContainerRuntime.DOCKER, false);
}
