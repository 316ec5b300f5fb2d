package dev.assay.work.compute.process;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.json.Json;
import dev.assay.work.compute.Performer;
import dev.assay.work.compute.SentDefinition;
import dev.assay.work.compute.TaskKind;
import dev.assay.work.confine.Landlock;
import dev.assay.work.confine.Wall;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A process that only computes, on input that is untrusted. It reads tasks from its standard input and writes answers to its standard
 * output, until its input or a task's memory ends. Its parent kills it when a task takes too long.
 */
public final class ComputeProcess {

    /** How the process ends when a task takes more memory than it has; the JVM's own end says the same. */
    public static final int OUT_OF_MEMORY = 3;

    /** The property of a process that only records which classes its successors need, and writes them to a file. */
    public static final String TRAINING = "assay.compute.training";

    /** How the process ends when its parent and it do not understand each other. */
    static final int UNUSABLE = 4;

    /** Java's matcher of regular expressions recurses for each repetition of a group. */
    private static final long STACK_BYTES = 16L << 20;

    /** How long an answer may wait for others before it is sent: shorter than the parent waits before it looks. */
    private static final long TOGETHER_MS = 20;

    private final OutputStream out;
    private final BlockingQueue<byte[]> tasks = new LinkedBlockingQueue<>();
    /** Whether an answer waits; guarded by {@link #out}. */
    private boolean waits;
    /** Whether one has waited since {@link #sendSoon} last looked; guarded by {@link #out}. */
    private boolean waited;

    private final KeptDefinitions<SentDefinition> kept =
            new KeptDefinitions<>(definition -> definition.text().length());

    private ComputeProcess(OutputStream out) {
        this.out = out;
    }

    public static void main(String[] arguments) throws IOException {
        DataInputStream in = new DataInputStream(new BufferedInputStream(new FileInputStream(FileDescriptor.in)));
        OutputStream out = new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16);
        // What a library prints must not stand between frames.
        System.setOut(System.err);
        List<Path> classPath = Arrays.stream(
                        System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .toList();
        confine(classPath);
        Frames.write(out, Json.bytes(new Greeting(Build.of(classPath))), Frames.MAX_REPLY);
        out.flush();
        new ComputeProcess(out).serve(in);
    }

    /** Where the kernel has Landlock, this thread and those that it starts read the JDK and the class path, and nothing else. */
    private static void confine(List<Path> classPath) throws IOException {
        if (Landlock.version() == 0 || Boolean.getBoolean(TRAINING)) {
            return;
        }
        List<Path> read = new ArrayList<>(classPath);
        read.add(Path.of(System.getProperty("java.home")));
        try (Landlock walls = Landlock.closing(EnumSet.allOf(Wall.class)).readExecute(read)) {
            walls.restrictSelf();
        }
    }

    private void serve(DataInputStream in) {
        Thread.ofPlatform().name("task").daemon().stackSize(STACK_BYTES).start(this::perform);
        Thread.ofPlatform().name("answers").daemon().start(this::sendSoon);
        int code = 0;
        try {
            for (byte[] task = Frames.read(in, Frames.MAX_TASK); task != null; ) {
                tasks.add(task);
                task = Frames.read(in, Frames.MAX_TASK);
            }
        } catch (IOException e) {
            code = UNUSABLE;
        } finally {
            // The parent has ended, or has no more tasks: what still computes is of no use to anybody.
            Runtime.getRuntime().halt(code);
        }
    }

    private void perform() {
        try {
            while (true) {
                perform(tasks.take());
            }
        } catch (OutOfMemoryError e) {
            // The JVM ends by itself when it finds no memory; libraries throw this error, too.
            Runtime.getRuntime().halt(OUT_OF_MEMORY);
        } catch (Throwable e) {
            // Without an answer the parent would wait for nothing.
            e.printStackTrace();
            Runtime.getRuntime().halt(UNUSABLE);
        }
    }

    private void perform(byte[] bytes) throws IOException {
        JsonNode frame = Json.mapper().readTree(bytes);
        List<SentDefinition> definitions = new ArrayList<>();
        JsonNode sent = frame.path("sent");
        frame.path("definitions")
                .forEach(hash -> definitions.add(kept.use(
                        hash.textValue(),
                        missing -> new SentDefinition(sent.path(missing).textValue()))));
        kept.shrink();
        long number = frame.path("number").longValue();
        Performer performer = performer(frame);
        boolean singly = frame.path("singly").booleanValue();
        for (int item = 0; item < definitions.size(); item++) {
            byte[] reply = reply(number, item, performer, definitions.get(item));
            synchronized (out) {
                Frames.write(out, reply, Integer.MAX_VALUE);
                waits = !singly && item + 1 < definitions.size();
                if (!waits) {
                    out.flush();
                } else if (!waited) {
                    waited = true;
                    out.notifyAll();
                }
            }
        }
    }

    /** Sends answers that wait for others while a definition takes long. */
    private void sendSoon() {
        try {
            while (true) {
                synchronized (out) {
                    while (!waited) {
                        out.wait();
                    }
                    waited = false;
                }
                Thread.sleep(TOGETHER_MS);
                synchronized (out) {
                    if (waits) {
                        out.flush();
                        waits = false;
                    }
                }
            }
        } catch (IOException | InterruptedException e) {
            // The parent has ended.
            Runtime.getRuntime().halt(UNUSABLE);
        }
    }

    private static Performer performer(JsonNode frame) {
        try {
            return TaskKind.valueOf(frame.path("kind").textValue()).maker().of(frame.path("input"));
        } catch (JsonProcessingException | RuntimeException e) {
            // The answer to each definition says so.
            return _ -> {
                throw new IllegalArgumentException("The input cannot be read", e);
            };
        }
    }

    private static byte[] reply(long number, int item, Performer performer, SentDefinition definition) {
        try {
            return Json.bytes(new ReplyFrame<>(number, item, null, performer.perform(definition)));
        } catch (StackOverflowError | RuntimeException e) {
            e.printStackTrace();
            return Json.bytes(new ReplyFrame<>(number, item, e.getClass().getSimpleName(), null));
        }
    }
}
