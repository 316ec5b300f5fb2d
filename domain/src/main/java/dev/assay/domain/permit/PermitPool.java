package dev.assay.domain.permit;

/**
 * A bound of calls in flight over all workers.
 *
 * @param kind of what
 * @param name the campaign's id or the provider's name
 */
public record PermitPool(Kind kind, String name) {

    /** The owner of a pool. */
    public enum Kind {
        /** As many permits as the campaign's {@code maxConcurrent}. */
        CAMPAIGN,
        /** As many as the strictest {@code maxConcurrent} of the provider among live workers. */
        PROVIDER
    }

    /** The pool of a campaign. */
    public static PermitPool campaign(String campaignId) {
        return new PermitPool(Kind.CAMPAIGN, campaignId);
    }

    /** The pool of a provider. */
    public static PermitPool provider(String name) {
        return new PermitPool(Kind.PROVIDER, name);
    }

    /** Its name among all pools. */
    public String key() {
        return switch (kind) {
            case CAMPAIGN -> "campaign/" + name;
            case PROVIDER -> "provider/" + name;
        };
    }
}
