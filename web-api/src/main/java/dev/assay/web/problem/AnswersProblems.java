package dev.assay.web.problem;

import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The annotation of controllers whose errors the OpenAPI document shows as problem documents. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ApiResponse(
        responseCode = "4XX",
        description = "An error of the request",
        content =
                @Content(
                        mediaType = ProblemDocument.MEDIA_TYPE,
                        schema = @Schema(implementation = ProblemDocument.class)))
@ApiResponse(
        responseCode = "5XX",
        description = "An error of the server, such as a store that does not answer",
        content =
                @Content(
                        mediaType = ProblemDocument.MEDIA_TYPE,
                        schema = @Schema(implementation = ProblemDocument.class)))
public @interface AnswersProblems {}
