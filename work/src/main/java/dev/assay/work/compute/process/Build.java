package dev.assay.work.compute.process;

import dev.assay.work.compute.NamedDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;

/** The build of a compute process: its class path, with the size and age of each archive. */
public final class Build {

    private Build() {}

    /**
     * The build that a class path holds now.
     *
     * @throws IOException when a part of it is gone
     */
    public static String of(List<Path> classPath) throws IOException {
        StringBuilder all = new StringBuilder();
        for (Path entry : classPath) {
            BasicFileAttributes found = Files.readAttributes(entry, BasicFileAttributes.class);
            // Compilers change directories of classes while they are used; archives are written once.
            String form = found.isDirectory() ? "directory" : found.size() + " " + found.lastModifiedTime();
            all.append(entry).append(' ').append(form).append('\n');
        }
        return NamedDefinition.hash(all.toString());
    }
}
