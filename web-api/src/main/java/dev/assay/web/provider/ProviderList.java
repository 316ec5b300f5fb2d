package dev.assay.web.provider;

import dev.assay.store.provider.ProviderQueries.ProgramOffer;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The providers, and what workers say of programs.
 *
 * @param items the providers, by name
 * @param nextPageToken null: there are no more
 * @param programs the levels at which live workers start programs of branches, the lowest first
 */
public record ProviderList(
        List<ProviderView> items, @Nullable String nextPageToken, List<ProgramsView> programs) {

    public ProviderList {
        items = List.copyOf(items);
        programs = List.copyOf(programs);
    }

    /**
     * Live workers that say the same of programs.
     *
     * @param isolation how far they keep programs apart
     * @param refusal why they start none though some are allowed, as a sentence; null: they start those that are allowed
     * @param lowered why some program that they start runs in no container though the operator names an image; null: there is none such
     * @param holdsLimits whether they bound memory, processes and processors of an attempt
     * @param workers how many there are
     */
    public record ProgramsView(
            @Schema(example = "confined") String isolation,
            @Nullable String refusal,
            @Nullable String lowered,
            boolean holdsLimits,
            long workers) {

        static ProgramsView of(ProgramOffer offer) {
            return new ProgramsView(
                    offer.offer().level().word(),
                    offer.offer().refusal(),
                    offer.offer().lowered(),
                    offer.offer().holdsLimits(),
                    offer.workers());
        }
    }
}
