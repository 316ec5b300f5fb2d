package dev.assay.activities.provider;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.LoggerFactory;

/** Keeps everything that is logged, at every level, while it is open. */
public final class LogCapture extends AppenderBase<ILoggingEvent> implements AutoCloseable {

    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private final Level before = root.getLevel();
    private final Queue<ILoggingEvent> events = new ConcurrentLinkedQueue<>();

    public LogCapture() {
        root.setLevel(Level.TRACE);
        root.addAppender(this);
        start();
    }

    @Override
    protected void append(ILoggingEvent event) {
        events.add(event);
    }

    public List<String> warnings() {
        return events.stream()
                .filter(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    /** Messages, arguments and stack traces. */
    public List<String> everything() {
        List<String> all = new ArrayList<>();
        events.forEach(event -> {
            all.add(event.getFormattedMessage());
            if (event.getThrowableProxy() != null) {
                all.add(ch.qos.logback.classic.spi.ThrowableProxyUtil.asString(event.getThrowableProxy()));
            }
        });
        return all;
    }

    @Override
    public void close() {
        root.detachAppender(this);
        root.setLevel(before);
        stop();
    }
}
