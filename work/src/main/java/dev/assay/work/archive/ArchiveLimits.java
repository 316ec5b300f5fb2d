package dev.assay.work.archive;

/** The amounts of rule 5, and those of rule 2 that the headers share with it. */
public final class ArchiveLimits {

    /** Bytes that all files of an archive may have, counted as they are written. */
    public static final long WRITTEN = 209_715_200;

    /** Bytes of the archive itself. */
    public static final long STREAM = 268_435_456;

    /** Entries, with the headers that belong to them. */
    static final int ENTRIES = 100_000;

    /** Directories that no entry names. Each entry may lie in 63 of them, which the rules of the stream do not count. */
    static final int UNNAMED_DIRECTORIES = 100_000;

    /** Bytes of names and targets that are kept while an archive is read, each directory's name once. */
    static final int NAMES = 16 << 20;

    /** Capital sigmas in these names: {@link FoldedName} says why they count. */
    static final int SIGMAS = 100_000;

    /** Bytes of the PAX records of one header. */
    static final int HEADER = 1 << 20;

    /** Bytes of a name, and of the target of a link. */
    static final int NAME = 4_096;

    /** Bytes of a segment of a name. */
    static final int SEGMENT = 255;

    /** Segments of a name. */
    static final int DEPTH = 64;

    /** Links that the way to a link's target may go through. */
    static final int LINKS = 40;

    private ArchiveLimits() {}
}
