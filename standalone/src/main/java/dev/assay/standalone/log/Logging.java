package dev.assay.standalone.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.filter.ThresholdFilter;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.SizeAndTimeBasedRollingPolicy;
import ch.qos.logback.core.spi.ContextAwareBase;
import ch.qos.logback.core.util.FileSize;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Configures Logback in code: reading an XML file would cost a noticeable part of the start-up. */
public final class Logging extends ContextAwareBase implements Configurator {

    private static final String CONSOLE_PATTERN = "%level %msg%n%nopex";
    private static final String VERBOSE_PATTERN = "%level %logger{0} %msg%n%ex";
    private static final String FILE_PATTERN =
            "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX,UTC} %level [%thread] %logger{36} %msg%n%ex";
    private static final int DAYS = 7;
    // Kept, or the level would go with the next garbage collection.
    private static final java.util.logging.Logger CHANNELS =
            java.util.logging.Logger.getLogger("io.grpc.internal.ManagedChannelImpl");
    /** {@code ASSAY_LOG=stderr}: everything to stderr and nothing to files, as containers want it. */
    private static final boolean STDERR_ONLY = "stderr".equals(System.getenv("ASSAY_LOG"));

    /** {@code ASSAY_LOG_FORMAT=json}: an event is a line of JSON. */
    private static final boolean JSON = "json".equals(System.getenv("ASSAY_LOG_FORMAT"));

    /**
     * Called by Logback. Warnings and worse go to stderr, in one line each unless {@code ASSAY_DEBUG} is set; with
     * {@code ASSAY_LOG=stderr} all of it.
     */
    @Override
    public ExecutionStatus configure(LoggerContext context) {
        ch.qos.logback.classic.Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.INFO);
        root.addAppender(console(context));
        quiet(context);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    /** Quiets libraries whose warnings tell a user nothing that Assay does not say better. */
    private static void quiet(LoggerContext context) {
        // The Java test server knows no worker heartbeats and says so once per worker.
        context.getLogger("io.temporal.internal.worker").setLevel(Level.ERROR);
        // It recommends an upgrade for every PostgreSQL newer than itself; a failed migration is an exception.
        context.getLogger("org.flywaydb").setLevel(Level.ERROR);
        // It warns of each connection that a restart of PostgreSQL broke; Assay reports the restart itself.
        context.getLogger("com.zaxxer.hikari").setLevel(Level.ERROR);
        // It reports each attempt to find a service that is away, past Logback; the code that needs the service does
        // too.
        CHANNELS.setLevel(java.util.logging.Level.OFF);
        // It quotes what an MCP server says, its instructions at INFO already; the calls fail with the reason.
        context.getLogger("io.modelcontextprotocol").setLevel(Level.OFF);
        // It warns of each keyword of a schema that it does not know, in the words of the author of the schema.
        context.getLogger("com.networknt").setLevel(Level.OFF);
        // A probe that asks for the health every few seconds gets the failed part in the answer.
        context.getLogger("io.micronaut.management.health.indicator.HealthResult")
                .setLevel(Level.OFF);
    }

    private static ConsoleAppender<ILoggingEvent> console(LoggerContext context) {
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setContext(context);
        appender.setName("stderr");
        appender.setTarget("System.err");
        if (STDERR_ONLY) {
            return started(appender, context, FILE_PATTERN);
        }
        ThresholdFilter warnings = new ThresholdFilter();
        warnings.setLevel("WARN");
        warnings.start();
        appender.addFilter(warnings);
        return started(appender, context, System.getenv("ASSAY_DEBUG") == null ? CONSOLE_PATTERN : VERBOSE_PATTERN);
    }

    /**
     * From now on also writes to {@code assay.log} in {@code directory}: a new file each day or 10 MB, 100 MB in all, a week. Not
     * with {@code ASSAY_LOG=stderr}.
     */
    public static void toFiles(Path directory) {
        if (STDERR_ONLY) {
            return;
        }
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        ch.qos.logback.classic.Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        RollingFileAppender<ILoggingEvent> appender = new RollingFileAppender<>();
        appender.setContext(context);
        appender.setName("file");
        appender.setFile(directory.resolve("assay.log").toString());
        SizeAndTimeBasedRollingPolicy<ILoggingEvent> policy = new SizeAndTimeBasedRollingPolicy<>();
        policy.setContext(context);
        policy.setParent(appender);
        policy.setFileNamePattern(
                directory.resolve("assay-%d{yyyy-MM-dd}.%i.log").toString());
        policy.setMaxFileSize(new FileSize(10 * FileSize.MB_COEFFICIENT));
        policy.setTotalSizeCap(new FileSize(100 * FileSize.MB_COEFFICIENT));
        policy.setMaxHistory(DAYS);
        policy.start();
        appender.setRollingPolicy(policy);
        root.detachAppender("file");
        root.addAppender(started(appender, context, FILE_PATTERN));
    }

    /** The place of the log of a process whose files would be in {@code directory}, for people. */
    public static String place(Path directory) {
        return STDERR_ONLY ? "stderr" : directory.toString();
    }

    private static Encoder<ILoggingEvent> lines(LoggerContext context, String pattern) {
        LogLines lines = new LogLines(context, pattern);
        lines.start();
        LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
        encoder.setContext(context);
        encoder.setLayout(lines);
        return encoder;
    }

    private static <A extends OutputStreamAppender<ILoggingEvent>> A started(
            A appender, LoggerContext context, String pattern) {
        Encoder<ILoggingEvent> encoder = JSON ? new LogJson(context) : lines(context, pattern);
        encoder.start();
        appender.setEncoder(encoder);
        appender.start();
        return appender;
    }
}
