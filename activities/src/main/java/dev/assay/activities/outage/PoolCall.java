package dev.assay.activities.outage;

import dev.assay.activities.model.CallFailedException;

/** A call on its way to a pool. */
public interface PoolCall {

    /** A call inside the installation, which is never away. */
    PoolCall INSIDE = new PoolCall() {
        @Override
        public void answered() {}

        @Override
        public void failed(CallFailedException failure) {}

        @Override
        public void givenUp() {}
    };

    /** It was answered. */
    void answered();

    /** It failed; the failure says whether the provider is there, and takes the key. */
    void failed(CallFailedException failure);

    /** It was given up, which says nothing of the provider. */
    void givenUp();
}
