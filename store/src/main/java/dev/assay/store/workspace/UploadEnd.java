package dev.assay.store.workspace;

/** The end of an upload: what became of the workspace when all its pieces were said to be there. */
public sealed interface UploadEnd {

    /** The workspace can be used. */
    record Complete() implements UploadEnd {}

    /** The pieces do not make up the content that the id names; they may be uploaded again. */
    record Different() implements UploadEnd {}

    /** The archive is not accepted. Nothing of it stays stored. */
    record Refused(String reason) implements UploadEnd {}
}
