package dev.assay.work.confine;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A process whose only carrier of virtual threads is busy when confined work ends. The thread that waits for the work gets a new
 * carrier then, and writes a file.
 */
final class CarrierProbe {

    private CarrierProbe() {}

    public static void main(String[] arguments) throws Exception {
        CountDownLatch isWaiting = new CountDownLatch(1);
        CountDownLatch isBusy = new CountDownLatch(1);
        AtomicBoolean over = new AtomicBoolean();
        try (Landlock walls = Landlock.closing(EnumSet.allOf(Wall.class)).readExecute(List.of(Path.of("/")))) {
            Thread waiting = Thread.ofVirtual().start(() -> {
                try {
                    ConfinedThread.call("confined", walls, () -> {
                        isWaiting.countDown();
                        return isBusy.await(1, TimeUnit.MINUTES);
                    });
                    Files.writeString(Path.of(arguments[0]), "free");
                } catch (Exception e) {
                    e.printStackTrace();
                }
            });
            isWaiting.await();
            Thread.ofVirtual().start(() -> {
                isBusy.countDown();
                while (!over.get()) {
                    Thread.onSpinWait();
                }
            });
            waiting.join();
            over.set(true);
        }
    }
}
