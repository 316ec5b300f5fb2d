package dev.assay.work.archive;

import dev.assay.work.archive.Place.Kind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The rules for the one who packs an archive: they say before it is written what a reader would refuse. */
public final class PackingRules {

    private final ArchiveTree tree = new ArchiveTree();

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
        take(path, Kind.DIRECTORY, Place.NO_TARGET);
    }

    /** Takes a file, as {@link #directory} does. */
    public void file(String path) throws RefusedArchiveException {
        take(path, Kind.FILE, Place.NO_TARGET);
    }

    /** Takes a link, as {@link #directory} does. Its target is looked at when everything is known. */
    public void link(String path, String target) throws RefusedArchiveException {
        take(path, Kind.LINK, target.getBytes(StandardCharsets.UTF_8));
    }

    private void take(String path, Kind kind, byte[] target) throws RefusedArchiveException {
        EntryName name = EntryName.of(path.getBytes(StandardCharsets.UTF_8), false);
        if (name != null) {
            tree.add(name, kind, target);
        }
    }

    /**
     * The links that have to be left out, in the order in which they came. The others stay right without them: a way through a refused
     * link is refused itself.
     */
    public List<RefusedLink> refusedLinks() {
        LinkWalk walk = new LinkWalk(tree);
        List<RefusedLink> refused = new ArrayList<>();
        for (Place link : tree.links()) {
            try {
                walk.check(link);
            } catch (RefusedArchiveException e) {
                refused.add(new RefusedLink(String.join("/", link.path()), sentence(link, e.reason())));
            }
        }
        return refused;
    }

    private static String sentence(Place link, String reason) {
        return reason.equals(LinkWalk.OUT)
                ? ("The workspace's link `%s` leads to %s, out of the workspace, and is left out. Put a copy in its"
                                + " place, or a relative link to what the workspace holds.")
                        .formatted(link.shown(), ShownName.of(link.target()))
                : "The workspace's link `%s` %s, and is left out.".formatted(link.shown(), reason);
    }
}
