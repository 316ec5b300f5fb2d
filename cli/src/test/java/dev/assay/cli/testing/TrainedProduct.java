package dev.assay.cli.testing;

import dev.assay.cli.WarmUp;
import dev.assay.standalone.testing.JavaProcess;
import dev.assay.work.compute.pool.ComputeTraining;
import dev.assay.work.file.FileTree;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The product as the launcher makes it: archives in one directory, and beside them what training runs of the JVM recorded. A server
 * that starts from there takes half of the processor's time. It needs an archive of each module, which {@code verify} has.
 */
final class TrainedProduct {

    private static final Path MODULE = Path.of("target").toAbsolutePath();
    private static final Path DIRECTORY = MODULE.resolve("product");

    private TrainedProduct() {}

    /** Makes it, unless another JVM is about to: processes that start before it is whole start as they would without. */
    static void make() throws IOException, InterruptedException {
        List<Path> archives = archives();
        if (archives.isEmpty()) {
            return;
        }
        System.setProperty(JavaProcess.TRAINED, DIRECTORY.toString());
        Files.createDirectories(DIRECTORY);
        try (FileChannel channel = FileChannel.open(
                        MODULE.resolve("product.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            if (lock != null) {
                makeOf(archives);
            }
        }
    }

    /** This module's archive and those of the class path; none, where a module is a directory or this one has none yet. */
    private static List<Path> archives() throws IOException {
        List<Path> others = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath())
                .filter(entry -> !entry.startsWith(MODULE))
                .toList();
        try (Stream<Path> files = Files.list(MODULE)) {
            List<Path> own = files.filter(
                            file -> file.getFileName().toString().matches("assay-cli-.*(?<!-tests)\\.jar"))
                    .toList();
            return own.isEmpty() || others.stream().anyMatch(Files::isDirectory)
                    ? List.of()
                    : Stream.concat(own.stream(), others.stream()).toList();
        }
    }

    private static void makeOf(List<Path> archives) throws IOException, InterruptedException {
        TreeMap<Path, Path> copies = new TreeMap<>();
        String state = "";
        for (Path archive : archives) {
            copies.put(DIRECTORY.resolve(archive.getFileName().toString()), archive);
            state += archive + " " + Files.size(archive) + " " + Files.getLastModifiedTime(archive) + "\n";
        }
        Path made = DIRECTORY.resolve("made");
        if (Files.exists(made) && Files.readString(made).equals(state)) {
            return;
        }
        FileTree.delete(DIRECTORY);
        Files.createDirectories(DIRECTORY);
        for (var copy : copies.entrySet()) {
            Files.copy(copy.getValue(), copy.getKey(), StandardCopyOption.COPY_ATTRIBUTES);
        }
        train(copies.keySet());
        Files.writeString(made, state);
    }

    private static void train(Collection<Path> classPath) throws IOException, InterruptedException {
        String path = classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        Path cache = DIRECTORY.resolve("unfinished.aot");
        Path data = DIRECTORY.resolve("training");
        run(path, List.of("-XX:AOTCacheOutput=" + cache), WarmUp.class, data);
        FileTree.delete(data);
        run(path, List.of(), ComputeTraining.class, DIRECTORY.resolve("compute.aot"));
        Files.writeString(DIRECTORY.resolve(JavaProcess.PATH), path);
        Files.move(cache, DIRECTORY.resolve(JavaProcess.CACHE), StandardCopyOption.ATOMIC_MOVE);
    }

    private static void run(String path, List<String> options, Class<?> main, Path argument)
            throws IOException, InterruptedException {
        Process training = new JavaProcess.ClassPath(path, options)
                .command(main, argument.toString())
                .redirectErrorStream(true)
                .redirectOutput(MODULE.resolve("product.log").toFile())
                .start();
        if (training.waitFor() != 0) {
            throw new IllegalStateException("The product could not be trained: see target/product.log");
        }
    }
}
