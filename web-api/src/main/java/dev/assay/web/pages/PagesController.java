package dev.assay.web.pages;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.web.problem.AnswersProblems;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.io.ResourceResolver;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.swagger.v3.oas.annotations.Hidden;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * The pages. Each address below {@code /ui} is the same shell, whose scripts read the address. The files that it needs stand below
 * {@code /ui/static}, where no case's id can be mistaken for one.
 */
@Controller("/ui")
@ExecuteOn(TaskExecutors.BLOCKING)
@AnswersProblems
@Hidden
final class PagesController {

    /** Only the pages' own files run, and they reach only this server, whatever a model wrote. */
    static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
            + " img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
            + " require-trusted-types-for 'script'; trusted-types lit-html";

    /** The page of the API is drawn by Swagger UI, which writes markup and styles by itself. It shows no text of a model. */
    static final String API_POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self';"
                    + " img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private static final String SHELL = "index.html";
    private static final String API_PAGE = "api.html";

    /** Names that cannot leave the directory or reach files of others. */
    private static final Pattern NAME = Pattern.compile("([a-z0-9-]+/)*[a-z0-9-]+\\.(js|css|svg)");

    private final ResourceResolver resources;

    /** Only files that exist are kept: as many as the module has. */
    private final Map<String, PageFile> files = new ConcurrentHashMap<>();

    PagesController(ResourceResolver resources) {
        this.resources = resources;
    }

    /** Any page; its script reads the address. */
    @Get(
            uris = {"/", "/{+path}"},
            produces = MediaType.ALL)
    HttpResponse<byte[]> shell(@Nullable String path, @Header(HttpHeaders.IF_NONE_MATCH) @Nullable String known) {
        return answer(SHELL, known);
    }

    /** The OpenAPI document, to read and to try out. */
    @Get(value = "/api", produces = MediaType.ALL)
    HttpResponse<byte[]> api(@Header(HttpHeaders.IF_NONE_MATCH) @Nullable String known) {
        return answer(API_PAGE, known);
    }

    /** A file that the shell needs. */
    @Get(value = "/static/{+path}", produces = MediaType.ALL)
    HttpResponse<byte[]> file(String path, @Header(HttpHeaders.IF_NONE_MATCH) @Nullable String known) {
        if (!NAME.matcher(path).matches()) {
            throw missing();
        }
        return answer(path, known);
    }

    private HttpResponse<byte[]> answer(String name, @Nullable String known) {
        PageFile file = files.computeIfAbsent(name, this::read);
        boolean isSame = known != null && known.contains(file.tag());
        MutableHttpResponse<byte[]> response = isSame
                ? HttpResponse.notModified()
                : HttpResponse.ok(file.content()).contentType(file.type());
        return response.header(HttpHeaders.ETAG, file.tag())
                // Browsers revalidate it each time, so that no page runs the scripts of two builds.
                .header(HttpHeaders.CACHE_CONTROL, "no-cache")
                .header("Content-Security-Policy", name.equals(API_PAGE) ? API_POLICY : POLICY)
                .header("X-Content-Type-Options", "nosniff")
                .header("Referrer-Policy", "no-referrer")
                .header("Cross-Origin-Opener-Policy", "same-origin");
    }

    private PageFile read(String name) {
        try (InputStream resource =
                resources.getResourceAsStream("classpath:ui/" + name).orElseThrow(PagesController::missing)) {
            return PageFile.of(name, resource.readAllBytes());
        } catch (IOException e) {
            throw new AssayException(ErrorCode.INTERNAL, "A file of the pages could not be read", e);
        }
    }

    private static AssayException missing() {
        return new AssayException(ErrorCode.NOT_FOUND, "The pages have no such file");
    }
}
