package dev.assay.activities.permit;

import dev.assay.domain.limit.ModelPool;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** The accounts with which a provider may be asked now. Each has limits of its own. */
public interface Accounts {

    /** One account for all: the provider has one key or none. */
    Accounts ONE = new Accounts() {
        @Override
        public List<String> usable(String provider, Set<String> without) {
            return List.of(ModelPool.DEFAULT_ACCOUNT);
        }

        @Override
        public String next(String provider, Collection<String> among) {
            return ModelPool.DEFAULT_ACCOUNT;
        }
    };

    /**
     * The accounts of which a key may be used now.
     *
     * @param without names of keys that are not to be used where others can be
     */
    List<String> usable(String provider, Set<String> without);

    /**
     * The account whose turn it is.
     *
     * @param among some of those that are usable, at least one
     */
    String next(String provider, Collection<String> among);
}
