package dev.assay.domain.provider;

/**
 * One of the keys of a provider. Holds the name of its variable, never the key.
 *
 * @param name what people call it, unique in its provider
 * @param variable the environment variable that holds it
 * @param weight how often it is used beside others, 1–1,000
 * @param account what its limits count for: keys of one account share them
 */
public record ProviderKey(String name, String variable, int weight, String account) {

    /** The only key of a provider of which no keys are configured. */
    public static ProviderKey ofVariable(String variable) {
        return new ProviderKey("default", variable, 1, "default");
    }
}
