package dev.assay.work.archive;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The reader that decides whether an archive is accepted, entry by entry as they stream by. What was handed to the target before a
 * refusal has to go.
 */
public final class ArchiveReader {

    private final TarInput input;
    private final ArchiveTarget target;
    private final ArchiveTree tree = new ArchiveTree();
    private final List<Integer> linkNumbers = new ArrayList<>();
    private ExtendedHeader extended = new ExtendedHeader();
    private int headers;
    private int number;
    private @Nullable String shown;

    private ArchiveReader(InputStream source, ArchiveTarget target) {
        this.input = new TarInput(source);
        this.target = target;
    }

    /**
     * The sentence that says why an archive is refused; empty when it is accepted. All of {@code source} is read, up to the most that
     * an archive may have.
     *
     * @throws IOException when {@code source} cannot be read
     */
    public static Optional<String> refusal(InputStream source) throws IOException {
        try {
            read(source, ArchiveTarget.NONE);
            return Optional.empty();
        } catch (RefusedArchiveException e) {
            return Optional.of(requireNonNull(e.getMessage()));
        }
    }

    /**
     * Hands what an archive holds to {@code target}.
     *
     * @return the bytes of all files
     * @throws RefusedArchiveException when it is not accepted
     * @throws IOException when {@code source} cannot be read, or by {@code target}
     */
    static long read(InputStream source, ArchiveTarget target) throws IOException, RefusedArchiveException {
        ArchiveReader reader = new ArchiveReader(source, target);
        try {
            reader.entries();
            reader.links();
        } catch (RefusedArchiveException e) {
            // One that is too large is refused for that, whatever else there is.
            reader.input.drain();
            throw e.of(reader.number, reader.shown);
        }
        reader.input.drain();
        return reader.input.written();
    }

    private void entries() throws IOException, RefusedArchiveException {
        begin();
        for (byte[] block = input.block(); block != null; block = input.block()) {
            if (TarInput.isZero(block)) {
                input.end();
                return;
            }
            header(new TarHeader(block));
        }
    }

    /** What follows belongs to the next entry. */
    private void begin() {
        number++;
        shown = null;
        extended = new ExtendedHeader();
    }

    private void header(TarHeader header) throws IOException, RefusedArchiveException {
        if (++headers > ArchiveLimits.ENTRIES) {
            throw new RefusedArchiveException(ArchiveRule.AMOUNTS, "is one of more than 100,000");
        }
        long size = header.size();
        switch (header.kind()) {
            case 'x' -> extended.records(input.header(size));
            case 'L' -> extended.longName(input.header(size));
            case 'K' -> extended.longTarget(input.header(size));
            case 'g' -> input.header(size);
            default -> {
                entry(header, size);
                begin();
            }
        }
    }

    private void entry(TarHeader header, long headerSize) throws IOException, RefusedArchiveException {
        byte[] raw = extended.nameOr(header.name());
        shown = ShownName.of(raw);
        EntryKind kind = EntryKind.of(header.kind(), raw);
        long size = extended.sizeOr(headerSize);
        EntryName name = EntryName.of(raw, kind == EntryKind.DIRECTORY);
        if (name == null) {
            return;
        }
        shown = name.shown();
        byte[] leadsTo = kind == EntryKind.LINK ? extended.targetOr(header.target()) : Place.NO_TARGET;
        int known = tree.add(name, kind.place(), leadsTo);
        int last = name.segments().size();
        for (int depth = known + 1; depth < last || (depth == last && kind == EntryKind.DIRECTORY); depth++) {
            target.directory(name.segments().subList(0, depth));
        }
        switch (kind) {
            case DIRECTORY -> {
                // It has no content, whatever its size says.
            }
            case LINK -> linkNumbers.add(number);
            case FILE -> file(header, name, size);
        }
    }

    private void file(TarHeader header, EntryName name, long size) throws IOException, RefusedArchiveException {
        Boolean isExecutable = header.isExecutable();
        try (OutputStream content = target.file(name.segments(), Boolean.TRUE.equals(isExecutable))) {
            input.file(size, content);
        }
        if (isExecutable == null) {
            throw new RefusedArchiveException(ArchiveRule.KINDS, "has a mode that is no number");
        }
    }

    /** Only now it is known what lies on their ways. */
    private void links() throws IOException, RefusedArchiveException {
        LinkWalk walk = new LinkWalk(tree);
        for (int i = 0; i < tree.links().size(); i++) {
            number = linkNumbers.get(i);
            shown = tree.links().get(i).shown();
            walk.check(tree.links().get(i));
        }
        for (Place link : tree.links()) {
            target.link(link.path(), walk.check(link));
        }
    }
}
