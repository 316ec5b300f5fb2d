package dev.assay.web.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.json.Json;
import dev.assay.web.ServerFixture;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the server answers below {@code /ui}, of a server that asks for tokens. */
@Timeout(60)
class PagesTest {

    private static ServerFixture server;

    @BeforeAll
    static void start() {
        server = ServerFixture.start(Map.of("assay.access.tokens", true));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/ui",
                "/ui/",
                "/ui/compare?a=x&b=y",
                "/ui/campaigns/c-1/results?filter=flaky",
                "/ui/campaigns/c-1/cells/a%2Fb/static.js/1"
            })
    void shouldServeTheShellWithoutATokenWhenAnyPageIsAsked(String address) {
        HttpResponse<String> shell = server.fetch(address);

        assertThat(shell.statusCode()).isEqualTo(200);
        assertThat(shell.headers().firstValue("Content-Type")).contains("text/html; charset=utf-8");
        assertThat(shell.headers().firstValue("Content-Security-Policy")).contains(PagesController.POLICY);
        assertThat(shell.body()).contains("/ui/static/main.js");
        assertThat(server.fetch("/api/v1/campaigns").statusCode()).isEqualTo(401);
    }

    @Test
    void shouldServeThePageOfTheApiUnderAPolicyOfItsOwnWithoutAToken() {
        HttpResponse<String> page = server.fetch("/ui/api");

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Security-Policy")).contains(PagesController.API_POLICY);
        assertThat(page.body()).contains("swagger-ui-bundle.js");
        assertThat(server.fetch("/openapi").statusCode()).isEqualTo(401);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/ui/", "/ui/api"})
    void shouldServeEveryFileThatAPageNames(String page) {
        List<String> named = Pattern.compile("/ui/static/[^\"]+")
                .matcher(server.fetch(page).body())
                .results()
                .map(MatchResult::group)
                .toList();

        assertThat(named)
                .hasSizeGreaterThanOrEqualTo(2)
                .allSatisfy(file -> assertThat(server.fetch(file).statusCode()).isEqualTo(200));
    }

    /** Else browsers learn of one module from the other, and ask for it when that has come. */
    @Test
    void shouldNameEveryModuleThatTheFirstPagesNeedWhenTheShellIsSent() {
        String shell = server.fetch("/ui/").body();
        Deque<String> open = new ArrayDeque<>(List.of("main.js", "page/results.js", "page/campaigns.js"));
        Set<String> needed = new TreeSet<>();
        while (!open.isEmpty()) {
            String file = open.remove();
            URI address = URI.create("/ui/static/" + file);
            Pattern.compile("(?:from|import)\\s*['\"](\\.[^'\"]+)['\"]")
                    .matcher(server.fetch(address.toString()).body())
                    .results()
                    .map(found -> address.resolve(found.group(1)).toString())
                    .filter(needed::add)
                    .forEach(found -> open.add(found.replace("/ui/static/", "")));
        }

        assertThat(needed)
                .hasSizeGreaterThan(15)
                .allSatisfy(module -> assertThat(shell).contains("\"modulepreload\" href=\"" + module + "\""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"main.js", "page/campaigns.js", "lit-html/lit-html.js", "style.css"})
    void shouldSendAFileOnceWhenItsTagIsKnown(String name) {
        HttpResponse<String> file = server.fetch("/ui/static/" + name);
        String tag = file.headers().firstValue("ETag").orElseThrow();
        HttpResponse<String> again =
                server.send(server.request("/ui/static/" + name).header("If-None-Match", tag));

        assertThat(file.statusCode()).isEqualTo(200);
        assertThat(file.headers().firstValue("Content-Type").orElseThrow())
                .startsWith(name.endsWith("js") ? "text/javascript" : "text/css");
        assertThat(file.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
        assertThat(file.headers().firstValue("Cache-Control")).contains("no-cache");
        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "none.js",
                "index.html",
                "lit-html/LICENSE",
                "api.html",
                "..%2findex.html",
                "%2e%2e/main.js",
                "page//campaigns.js",
                "application.yml"
            })
    void shouldKnowNoOtherFileWhenItIsAsked(String name) {
        HttpResponse<String> answer = server.fetch("/ui/static/" + name);

        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(Json.tree(answer.body()).get("code").asText()).isEqualTo("NOT_FOUND");
    }

    @Test
    void shouldTakeNoOtherMethodWhenAPageIsAsked() {
        assertThat(server.send(server.request("/ui/campaigns").DELETE()).statusCode())
                .isIn(401, 405);
    }
}
