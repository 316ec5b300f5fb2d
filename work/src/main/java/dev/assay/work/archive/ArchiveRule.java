package dev.assay.work.archive;

/** The rules by which an archive is refused. Their numbers stand in messages and never change. */
public enum ArchiveRule {
    /** Files, directories and symbolic links only, in headers that can be read. */
    KINDS(1),
    /** Names are relative, printable and within the workspace. */
    NAMES(2),
    /** No two names that one file system takes for the same. */
    COLLISIONS(3),
    /** Nothing below a file or a link. */
    PARENTS(4),
    /** How much there may be. */
    AMOUNTS(5),
    /** No link leaves the workspace. */
    LINKS(6);

    private final int number;

    ArchiveRule(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }
}
