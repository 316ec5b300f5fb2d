package dev.assay.work.archive;

import dev.assay.work.archive.Place.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules for the one who packs an archive: they say before it is written what a reader would refuse. */
public final class PackingRules {

    private final List<Packed> entries = new ArrayList<>();
    private final ArchiveTree tree = new ArchiveTree();

    private record Packed(EntryName name, Kind kind, String target) {

        void addTo(ArchiveTree tree) throws RefusedArchiveException {
            tree.add(name, kind, target.getBytes(StandardCharsets.UTF_8));
        }
    }

    /**
     * A link that the archive must not have.
     *
     * @param path of the link, with {@code /} between its segments
     * @param sentence says why, and what to do
     */
    public record RefusedLink(String path, String sentence) {}

    /**
     * Takes a directory.
     *
     * @param path with {@code /} between its segments
     * @throws RefusedArchiveException when the archive cannot have it
     */
    public void directory(String path) throws RefusedArchiveException {
        take(path, Kind.DIRECTORY, "");
    }

    /** Takes a file, as {@link #directory} does. */
    public void file(String path) throws RefusedArchiveException {
        take(path, Kind.FILE, "");
    }

    /** Takes a link, as {@link #directory} does. Its target is looked at when everything is known. */
    public void link(String path, String target) throws RefusedArchiveException {
        take(path, Kind.LINK, target);
    }

    private void take(String path, Kind kind, String target) throws RefusedArchiveException {
        EntryName name = EntryName.of(path.getBytes(StandardCharsets.UTF_8), false);
        if (name != null) {
            Packed packed = new Packed(name, kind, target);
            packed.addTo(tree);
            entries.add(packed);
        }
    }

    /** The links that have to be left out, in the order in which they came. */
    public List<RefusedLink> refusedLinks() {
        List<RefusedLink> refused = new ArrayList<>();
        Set<Packed> left = new HashSet<>();
        // Without a link, the way of another one may end elsewhere. So this goes on until no further one is refused.
        for (boolean again = true; again; ) {
            List<RefusedLink> further = refused(left);
            refused.addAll(further);
            again = !further.isEmpty();
        }
        return refused;
    }

    private List<RefusedLink> refused(Set<Packed> left) {
        ArchiveTree kept = without(left);
        LinkWalk walk = new LinkWalk(kept);
        List<Packed> links = entries.stream()
                .filter(entry -> entry.kind() == Kind.LINK && !left.contains(entry))
                .toList();
        List<RefusedLink> refused = new ArrayList<>();
        for (int i = 0; i < links.size(); i++) {
            String reason = reason(walk, kept.links().get(i));
            if (reason != null) {
                Packed link = links.get(i);
                left.add(link);
                refused.add(new RefusedLink(link.name().path(), sentence(link, reason)));
            }
        }
        return refused;
    }

    private ArchiveTree without(Set<Packed> left) {
        try {
            ArchiveTree kept = new ArchiveTree();
            for (Packed entry : entries) {
                if (!left.contains(entry)) {
                    entry.addTo(kept);
                }
            }
            return kept;
        } catch (RefusedArchiveException e) {
            throw new IllegalStateException("All of these entries were taken before", e);
        }
    }

    private static @Nullable String reason(LinkWalk walk, Place link) {
        try {
            walk.check(link);
            return null;
        } catch (RefusedArchiveException e) {
            return e.reason();
        }
    }

    private static String sentence(Packed link, String reason) {
        String name = link.name().shown();
        return reason.equals(LinkWalk.OUT)
                ? ("The workspace's link `%s` leads to %s, out of the workspace, and is left out. Put a copy in its"
                                + " place, or a relative link to what the workspace holds.")
                        .formatted(name, ShownName.of(link.target()))
                : "The workspace's link `%s` %s, and is left out.".formatted(name, reason);
    }
}
