package dev.assay.work.compute.pool;

import dev.assay.domain.json.Json;
import dev.assay.work.compute.process.Build;
import dev.assay.work.compute.process.Frames;
import dev.assay.work.compute.process.Greeting;
import java.io.DataInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** A compute process that a task has taken over. Its first argument is what it says, the second the class path it greets with. */
final class LyingProcess {

    private LyingProcess() {}

    public static void main(String[] arguments) throws Exception {
        List<Path> classPath =
                Arrays.stream(arguments[1].split(":")).map(Path::of).toList();
        DataInputStream in = new DataInputStream(new FileInputStream(FileDescriptor.in));
        OutputStream out = new FileOutputStream(FileDescriptor.out);
        Frames.write(out, Json.bytes(new Greeting(Build.of(classPath))), Frames.MAX_REPLY);
        while (Frames.read(in, Frames.MAX_TASK) != null) {
            if (arguments[0].equals("huge")) {
                out.write(new byte[] {127, -1, -1, -1});
                out.flush();
                continue;
            }
            Frames.write(out, arguments[0].getBytes(StandardCharsets.UTF_8), Frames.MAX_REPLY);
        }
    }
}
