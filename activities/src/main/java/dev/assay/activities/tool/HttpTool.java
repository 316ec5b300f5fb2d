package dev.assay.activities.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.activities.http.WholeAnswers;
import dev.assay.domain.text.Excerpt;
import dev.assay.domain.tool.Tool;
import dev.assay.domain.tool.ToolException;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.domain.tool.ToolSpec;
import dev.assay.domain.tool.UrlTemplate;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A tool that is a request to a server on the allow-list. Redirects are not followed: they could lead off it. */
final class HttpTool implements RunnableTool {

    private static final Pattern CHARSET = Pattern.compile("charset=\"?([^\";\\s]+)", Pattern.CASE_INSENSITIVE);
    private static final Pattern TEXT = Pattern.compile(
            "(text/.*|application/(.*\\+)?(json|xml|yaml|x-ndjson|javascript|x-www-form-urlencoded).*|)");

    /** Bytes of an answer; more are an error. */
    static final long MAX_BODY_BYTES = 1024 * 1024;

    private final Tool.Http declared;
    private final WholeAnswers http;
    private final ToolPolicy policy;
    private final Supplier<Map<String, String>> headers;

    /**
     * @param headers with the values that their variables have at each request
     */
    HttpTool(Tool.Http declared, WholeAnswers http, ToolPolicy policy, Supplier<Map<String, String>> headers) {
        this.declared = declared;
        this.http = http;
        this.policy = policy;
        this.headers = headers;
    }

    @Override
    public ToolSpec spec() {
        return declared.spec();
    }

    @Override
    public Duration timeout() {
        return declared.timeout();
    }

    @Override
    public boolean idempotent() {
        return declared.idempotent();
    }

    @Override
    public String run(JsonNode arguments, Consumer<String> updates) throws InterruptedException {
        URI target = declared.request().url().fill(arguments);
        if (policy.covering(target).isEmpty()) {
            throw new ToolException("With these arguments the address is not on the server's allow-list.");
        }
        return textOf(send(request(target, arguments)));
    }

    private HttpResponse<byte[]> send(HttpRequest request) throws InterruptedException {
        try {
            return http.send(request, timeout().plus(GRACE).toNanos());
        } catch (IOException | TimeoutException e) {
            String reason =
                    Objects.requireNonNullElse(e.getMessage(), e.getClass().getSimpleName());
            throw new ToolException("The server gave no answer that can be read: " + reason + ".", e);
        }
    }

    private HttpRequest request(URI target, JsonNode arguments) {
        HttpRequest.Builder builder = HttpRequest.newBuilder(target);
        Map<String, String> filled = headers.get();
        filled.forEach(builder::header);
        if (!declared.request().hasBody()) {
            return builder.method(declared.request().method(), HttpRequest.BodyPublishers.noBody())
                    .build();
        }
        if (filled.keySet().stream().noneMatch("Content-Type"::equalsIgnoreCase)) {
            builder.header("Content-Type", "application/json");
        }
        return builder.method(declared.request().method(), HttpRequest.BodyPublishers.ofString(body(arguments)))
                .build();
    }

    private String body(JsonNode arguments) {
        String template = declared.request().body();
        UrlTemplate url = declared.request().url();
        if (template == null) {
            ObjectNode left = arguments.deepCopy();
            left.remove(url.places());
            return bounded(left.toString());
        }
        return UrlTemplate.filled(template, place -> value(arguments, place));
    }

    private static String value(JsonNode arguments, String place) {
        JsonNode value = arguments.get(place);
        return bounded((value == null ? NullNode.getInstance() : value).toString());
    }

    private static String bounded(String body) {
        if (body.length() > UrlTemplate.MAX_FILLED) {
            throw new ToolException(
                    "The arguments have more than " + UrlTemplate.MAX_FILLED + " characters; send less.");
        }
        return body;
    }

    private static String textOf(HttpResponse<byte[]> response) {
        String type = response.headers().firstValue("Content-Type").orElse("");
        boolean isText = TEXT.matcher(type.toLowerCase(Locale.ROOT)).matches();
        String text = isText ? new String(response.body(), charset(type)) : "";
        int status = response.statusCode();
        if (status >= 300 && status <= 399) {
            throw new ToolException("The server redirects (HTTP " + status + "), which is not followed.");
        }
        if (status < 200 || status > 299) {
            throw new ToolException("The server answered HTTP " + status + ": " + Excerpt.of(text, 2_000));
        }
        if (!isText && response.body().length > 0) {
            throw new ToolException("The server answered with " + type + ", which is no text.");
        }
        return text;
    }

    private static Charset charset(String type) {
        Matcher named = CHARSET.matcher(type);
        try {
            return named.find() ? Charset.forName(named.group(1)) : StandardCharsets.UTF_8;
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            return StandardCharsets.UTF_8;
        }
    }
}
