package dev.assay.work.confine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ConfinedThreadTest {

    @Test
    void shouldGiveBackWhatTheWorkReturnsOrThrowsWhenItEnds() throws Exception {
        assertThat(ConfinedThread.call(
                        "work", null, () -> Thread.currentThread().isVirtual()))
                .isFalse();
        assertThatThrownBy(() -> ConfinedThread.call("work", null, () -> {
                    throw new IOException("full");
                }))
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseMessage("full");
    }

    @Test
    void shouldWaitUntilTheWorkHasEndedWhenTheCallerIsInterrupted() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        AtomicBoolean ended = new AtomicBoolean();
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread caller = Thread.ofVirtual().start(() -> {
            try {
                ConfinedThread.call("work", null, () -> {
                    begun.countDown();
                    try {
                        return new CountDownLatch(1).await(1, TimeUnit.MINUTES);
                    } finally {
                        ended.set(true);
                    }
                });
            } catch (InterruptedException | ExecutionException e) {
                thrown.set(e);
                assertThat(ended).isTrue();
            }
        });
        begun.await();
        caller.interrupt();
        caller.join();

        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        assertThat(ended).isTrue();
    }
}
