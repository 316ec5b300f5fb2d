package dev.assay.standalone.log;

import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Context;
import ch.qos.logback.core.LayoutBase;
import dev.assay.domain.text.PrintableText;

/**
 * Events as text for people. What others write can stand in a message or an exception. So there are no control characters, and each
 * line but the first begins with a tab. No line can be taken for an event of its own.
 */
final class LogLines extends LayoutBase<ILoggingEvent> {

    private final PatternLayout pattern = new PatternLayout();

    LogLines(Context context, String pattern) {
        setContext(context);
        this.pattern.setContext(context);
        this.pattern.setPattern(pattern);
    }

    @Override
    public void start() {
        pattern.start();
        super.start();
    }

    @Override
    public String doLayout(ILoggingEvent event) {
        String text = PrintableText.of(pattern.doLayout(event).stripTrailing());
        return text.replace("\n", "\n\t") + "\n";
    }
}
