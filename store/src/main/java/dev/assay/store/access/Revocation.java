package dev.assay.store.access;

/** The reason why a token was revoked. The names are stored, in small letters. */
public enum Revocation {
    /** A server was started with another token in its environment, or with none. It may come back. */
    ROTATION,
    /** A person said so, for good. */
    PERSON
}
