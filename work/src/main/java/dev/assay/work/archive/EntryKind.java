package dev.assay.work.archive;

/** The kinds of entries that rule 1 accepts. */
enum EntryKind {
    FILE(Place.Kind.FILE),
    DIRECTORY(Place.Kind.DIRECTORY),
    LINK(Place.Kind.LINK);

    private final Place.Kind place;

    EntryKind(Place.Kind place) {
        this.place = place;
    }

    Place.Kind place() {
        return place;
    }

    /**
     * The kind of an entry.
     *
     * @param name of the entry: a file whose name ends in {@code /} is a directory
     * @throws RefusedArchiveException by rule 1
     */
    static EntryKind of(char letter, byte[] name) throws RefusedArchiveException {
        boolean ends = name.length > 0 && name[name.length - 1] == '/';
        return switch (letter) {
            case '0', '\0', '7' -> ends ? DIRECTORY : FILE;
            case '5' -> DIRECTORY;
            case '2' -> LINK;
            case '1' -> throw refused("is a hard link");
            case '3', '4' -> throw refused("is a device");
            case '6' -> throw refused("is a FIFO");
            case 'S' -> throw refused("is a sparse file");
            default ->
                throw refused("is of the kind `%s`, no file, directory or symbolic link"
                        .formatted(ShownName.of(String.valueOf(letter))));
        };
    }

    private static RefusedArchiveException refused(String reason) {
        return new RefusedArchiveException(ArchiveRule.KINDS, reason);
    }
}
