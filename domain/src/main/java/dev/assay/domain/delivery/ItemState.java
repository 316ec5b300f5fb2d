package dev.assay.domain.delivery;

/** How a request in a provider batch has ended. One that is out has not. */
public enum ItemState {
    /** The model answered it. */
    ANSWERED,
    /** The provider refused or failed it. */
    FAILED,
    /** The provider's time ran out before it. */
    EXPIRED,
    /** The batch was cancelled before it. */
    CANCELED,
    /** The provider's files say nothing of it that can be read. */
    MISSING,
    /** The batch was never at the provider. */
    NOT_SENT
}
