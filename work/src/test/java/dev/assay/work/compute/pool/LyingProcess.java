package dev.assay.work.compute.pool;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.json.Json;
import dev.assay.work.compute.process.Build;
import dev.assay.work.compute.process.ComputeProcess;
import dev.assay.work.compute.process.Frames;
import dev.assay.work.compute.process.Greeting;
import dev.assay.work.compute.process.ReplyFrame;
import java.io.DataInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
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
        for (byte[] task = Frames.read(in, Frames.MAX_TASK); task != null; task = Frames.read(in, Frames.MAX_TASK)) {
            if (arguments[0].equals("losing")) {
                answerOrLose(Json.mapper().readTree(task), out);
                continue;
            }
            if (arguments[0].equals("huge")) {
                out.write(new byte[] {127, -1, -1, -1});
                out.flush();
                continue;
            }
            Frames.write(out, arguments[0].getBytes(StandardCharsets.UTF_8), Frames.MAX_REPLY);
        }
    }

    /** Ends for want of memory with all answers that wait for others; it has none that are sent at once. */
    private static void answerOrLose(JsonNode task, OutputStream out) throws IOException {
        if (!task.path("singly").booleanValue()) {
            Runtime.getRuntime().halt(ComputeProcess.OUT_OF_MEMORY);
        }
        for (int item = 0; item < task.path("definitions").size(); item++) {
            JsonNode passed = Json.mapper().valueToTree(Finding.passed("Found"));
            Frames.write(
                    out,
                    Json.bytes(new ReplyFrame<>(task.path("number").longValue(), item, null, passed)),
                    Frames.MAX_REPLY);
        }
    }
}
