package dev.assay.cli.terminal;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The reaction to Ctrl-C while a campaign is followed, and to SIGTERM while a server runs. */
public final class Interrupts {

    private static final Logger LOG = LoggerFactory.getLogger(Interrupts.class);

    private static final AtomicBoolean SEEN = new AtomicBoolean();

    private Interrupts() {}

    /**
     * From now on the first Ctrl-C runs {@code first}, and this process ends with 130 when that is done. A second one runs
     * {@code atOnce} instead of the rest.
     */
    public static void onFirst(Runnable first, Runnable atOnce) {
        handle("INT", () -> {
            boolean again = SEEN.getAndSet(true);
            Thread.ofPlatform().name("interrupted").start(() -> {
                try {
                    (again ? atOnce : first).run();
                } finally {
                    Runtime.getRuntime().halt(ExitCode.INTERRUPTED);
                }
            });
        });
    }

    /**
     * Returns unless Ctrl-C is being handled. What the command sees then is a consequence of that, and neither its result nor an
     * error.
     */
    public static void stayIfInterrupted() {
        if (SEEN.get()) {
            untilEnd();
        }
    }

    /** Waits until a signal ends this process. */
    public static void untilEnd() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Makes SIGTERM end this process in order: everything is stopped, and its exit code is 0. */
    public static void exitOnTerminate() {
        handle("TERM", () -> Thread.ofPlatform().name("terminated").start(() -> System.exit(ExitCode.OK)));
    }

    /** By reflection: the compiler refuses {@code sun.misc.Signal} by a warning that cannot be turned off. */
    private static void handle(String name, Runnable handler) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> signalHandler = Class.forName("sun.misc.SignalHandler");
            InvocationHandler invocation = (proxy, method, arguments) -> {
                if (method.getName().equals("handle")) {
                    handler.run();
                }
                return null;
            };
            Object proxy = Proxy.newProxyInstance(
                    Interrupts.class.getClassLoader(), new Class<?>[] {signalHandler}, invocation);
            signal.getMethod("handle", signal, signalHandler)
                    .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            LOG.warn("SIG{} will do no more than end the process: {}", name, e.toString());
        }
    }
}
