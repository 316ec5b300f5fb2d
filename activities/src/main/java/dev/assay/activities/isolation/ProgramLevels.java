package dev.assay.activities.isolation;

import dev.assay.domain.isolation.IsolationLevel;
import dev.assay.domain.tool.IsolationRules;
import dev.assay.work.confine.OtherUser;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The level of each program: which is asked for, which can be had, and why no more. */
final class ProgramLevels {

    private final IsolationRules rules;
    private final IsolationSettings settings;
    private final IsolationLevel best = OtherUser.isRoot() ? IsolationLevel.USER : IsolationLevel.CONFINED;

    /** Why {@link #best} cannot be had; null: it can. */
    private final @Nullable String lacking;

    /** Why programs cannot run in an image, by its name. */
    private final Map<String, String> lackingImages;

    private ProgramLevels(
            IsolationRules rules,
            IsolationSettings settings,
            @Nullable String lacking,
            Map<String, String> lackingImages) {
        this.rules = rules;
        this.settings = settings;
        this.lacking = lacking;
        this.lackingImages = Map.copyOf(lackingImages);
    }

    /** What is asked for. Nothing can be had. */
    static ProgramLevels asked(IsolationRules rules, IsolationSettings settings) {
        ProgramLevels nothing = new ProgramLevels(rules, settings, "nothing was tried", Map.of());
        return nothing.without(
                nothing.lacking,
                nothing.images().stream().collect(Collectors.toMap(image -> image, image -> "nothing was tried")));
    }

    /**
     * What can be had.
     *
     * @param lacking why the highest level that needs no image cannot; null: it can
     * @param lackingImages why programs cannot run in an image, by its name
     */
    ProgramLevels without(@Nullable String lacking, Map<String, String> lackingImages) {
        return new ProgramLevels(rules, settings, lacking, lackingImages);
    }

    /** The highest level that needs no image. */
    IsolationLevel best() {
        return best;
    }

    /** Whether {@link #best} can be had. */
    boolean hasBest() {
        return lacking == null;
    }

    /** Whether some program may run without rules of its own: one that only the command knows, or one that the file only allows. */
    private boolean hasUsual() {
        return settings.asked() != null
                || !settings.highest()
                || rules.programs().isEmpty()
                || rules.programs().stream().anyMatch(program -> program.level() == null);
    }

    /** The rules of all programs; empty: those of a program without any. */
    private Stream<Optional<IsolationRules.Program>> all() {
        Stream<Optional<IsolationRules.Program>> own = rules.programs().stream().map(Optional::of);
        return hasUsual() ? Stream.concat(Stream.of(Optional.empty()), own) : own;
    }

    /** Whether some program is to start at another level than none. */
    boolean wants() {
        return all().anyMatch(program -> wanted(program.orElse(null)) != IsolationLevel.NONE);
    }

    /** The images in which some program is to run. */
    Set<String> images() {
        return all().filter(program -> wanted(program.orElse(null)) == IsolationLevel.CONTAINER)
                .map(program -> rules.image(program.orElse(null)))
                .filter(Objects::nonNull)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private IsolationLevel atLeast() {
        return rules.atLeast() == null ? settings.atLeast() : rules.atLeast();
    }

    /** The level that is to be had for a program with {@code program}'s rules; null: for one without. */
    IsolationLevel wanted(IsolationRules.@Nullable Program program) {
        IsolationLevel level = wantedItself(program);
        return level != IsolationLevel.NONE && atLeast() == IsolationLevel.CONTAINER ? atLeast() : level;
    }

    private IsolationLevel wantedItself(IsolationRules.@Nullable Program program) {
        if (program != null && program.level() != null) {
            return program.level();
        }
        if (settings.asked() != null) {
            return settings.asked();
        }
        if (!settings.highest()) {
            return rules.atLeast() == null ? IsolationLevel.NONE : rules.atLeast();
        }
        return rules.image(program) == null ? best : IsolationLevel.CONTAINER;
    }

    /** The level below which a program does not start. */
    private IsolationLevel required(IsolationRules.@Nullable Program program) {
        IsolationLevel own = program == null ? null : program.level();
        IsolationLevel asked = own == null ? settings.asked() : own;
        return asked == null || atLeast().isAtLeast(asked) ? atLeast() : asked;
    }

    /** The level at which a program starts. */
    IsolationLevel level(IsolationRules.@Nullable Program program) {
        IsolationLevel wanted = wanted(program);
        if (wanted == IsolationLevel.CONTAINER && lackingContainer(program) == null) {
            return wanted;
        }
        return wanted == IsolationLevel.NONE || lacking != null ? IsolationLevel.NONE : best;
    }

    /** Why a program does not run in a container; null: it can. */
    private @Nullable String lackingContainer(IsolationRules.@Nullable Program program) {
        String image = rules.image(program);
        return image == null
                ? "no image is named; `isolation: {image: NAME}` in tools.yaml names one"
                : lackingImages.get(image);
    }

    /** Why a program does not start, as a sentence; null: it may. */
    @Nullable
    String refusal(IsolationRules.@Nullable Program program) {
        IsolationLevel level = level(program);
        IsolationLevel required = required(program);
        if (level.isAtLeast(required)) {
            return null;
        }
        boolean written =
                rules.atLeast() != null || settings.asked() != null || (program != null && program.level() != null);
        return "Programs run at level " + level.word() + " here, and "
                + (written ? "the operator asks for " : "whoever lets others submit needs ") + required.word() + ": "
                + (wanted(program) == IsolationLevel.NONE ? "none was asked for, too" : why(program, required))
                + (written ? "." : "; `isolation: {atLeast: none}` in tools.yaml allows it.");
    }

    private String why(IsolationRules.@Nullable Program program, IsolationLevel required) {
        String container = required == IsolationLevel.CONTAINER ? lackingContainer(program) : null;
        if (container != null) {
            return container;
        }
        return lacking == null ? "only a worker that is root starts programs as other users" : lacking;
    }

    /** Why some program that starts has no container though it was to have one; null: all have. */
    @Nullable
    String lowered() {
        return all().map(program -> program.orElse(null))
                .filter(program -> refusal(program) == null
                        && wanted(program) == IsolationLevel.CONTAINER
                        && level(program) != IsolationLevel.CONTAINER)
                .map(this::lackingContainer)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }
}
