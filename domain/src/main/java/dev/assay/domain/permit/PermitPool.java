package dev.assay.domain.permit;

import dev.assay.domain.limit.ModelPool;
import org.jspecify.annotations.Nullable;

/**
 * A bound of calls in flight over all workers.
 *
 * @param name the campaign's id, the provider's name, or that with the account and the group
 * @param group the group of models whose calls it bounds; null: it bounds no group
 */
public record PermitPool(Kind kind, String name, @Nullable ModelPool group) {

    /** The owner of a pool. */
    public enum Kind {
        /** As many permits as the campaign's {@code maxConcurrent}. */
        CAMPAIGN,
        /** As many as the strictest {@code maxConcurrent} of the provider among live workers. */
        PROVIDER,
        /** As many calls as a group of models may have in flight: by the settings of live workers, fewer after a refusal. */
        MODELS
    }

    /** The pool of a campaign. */
    public static PermitPool campaign(String campaignId) {
        return new PermitPool(Kind.CAMPAIGN, campaignId, null);
    }

    /** The pool of a provider. */
    public static PermitPool provider(String name) {
        return new PermitPool(Kind.PROVIDER, name, null);
    }

    /** The pool of a group of models that has a bound of its own. */
    public static PermitPool models(ModelPool group) {
        return new PermitPool(Kind.MODELS, group.provider() + "/" + group.account() + "/" + group.models(), group);
    }

    /** Its name among all pools. */
    public String key() {
        return switch (kind) {
            case CAMPAIGN -> "campaign/" + name;
            case PROVIDER -> "provider/" + name;
            case MODELS -> "models/" + name;
        };
    }
}
