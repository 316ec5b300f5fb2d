package dev.assay.standalone.log;

import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Context;
import dev.assay.domain.text.PrintableText;
import java.nio.charset.StandardCharsets;

/** Events as JSON, one a line, with the campaign, case, branch and trial that they belong to. */
final class LogJson extends JsonEncoder {

    LogJson(Context context) {
        setContext(context);
        setWithSequenceNumber(false);
        setWithContext(false);
        setWithMessage(false);
        setWithArguments(false);
        setWithFormattedMessage(true);
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        String json = new String(super.encode(event), StandardCharsets.UTF_8);
        return PrintableText.of(json).getBytes(StandardCharsets.UTF_8);
    }
}
