package dev.assay.domain.replay;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.assay.domain.message.Message;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * One recorded answer: a line of a cassette file, and a row of {@code cassette_entry}.
 *
 * @param key SHA-256 of what was asked, in hexadecimal (see {@link RequestKey})
 * @param trial in which it was asked, from 1
 * @param asked the last message of the request as text, for people, at most 200 characters
 * @param usage tokens as the provider counted them
 * @param costUsd what it cost; null where no price was known
 * @param latencyMs milliseconds from request to reply; 0 also where a batch of the provider brought it, whose time says nothing
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record CassetteEntry(
        String key,
        int trial,
        String provider,
        String model,
        String asked,
        Message reply,
        Usage usage,
        @Nullable BigDecimal costUsd,
        long latencyMs) {}
