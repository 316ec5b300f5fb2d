package dev.assay.work.archive;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What an archive holds, as the vectors write it: a path, and what is there. */
final class RecordedTree implements ArchiveTarget {

    final Map<String, String> tree = new TreeMap<>();

    /** The same in the order in which it came: {@code d}, {@code f} or {@code l}, and the path. */
    final List<String> order = new ArrayList<>();

    /** Reads an archive that is accepted. */
    static RecordedTree of(byte[] archive) throws IOException, RefusedArchiveException {
        RecordedTree recorded = new RecordedTree();
        ArchiveReader.read(new ByteArrayInputStream(archive), recorded);
        return recorded;
    }

    private void put(char kind, List<String> path, String what) {
        String joined = String.join("/", path);
        order.add(kind + " " + joined);
        if (tree.put(joined, what) != null) {
            throw new AssertionError(joined + " came twice");
        }
    }

    @Override
    public void directory(List<String> path) {
        put('d', path, "dir");
    }

    @Override
    public OutputStream file(List<String> path, boolean isExecutable) {
        return new ByteArrayOutputStream() {
            @Override
            public void close() {
                put('f', path, file(isExecutable, toByteArray()));
            }
        };
    }

    static String file(boolean isExecutable, byte[] content) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(content);
            return "file:%s:%s"
                    .formatted(isExecutable ? "0755" : "0644", HexFormat.of().formatHex(hash));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void link(List<String> path, String target) {
        put('l', path, "link:" + target);
    }
}
