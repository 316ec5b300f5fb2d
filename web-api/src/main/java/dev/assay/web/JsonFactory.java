package dev.assay.web;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.assay.domain.json.Json;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Primary;
import io.micronaut.context.annotation.Replaces;
import io.micronaut.jackson.ObjectMapperFactory;
import jakarta.inject.Singleton;

/** The factory that makes HTTP bodies use the same JSON as everything else in Assay. */
@Factory
final class JsonFactory {

    /** A copy: the server configures its mapper further. */
    @Singleton
    @Primary
    @Replaces(value = ObjectMapper.class, factory = ObjectMapperFactory.class)
    ObjectMapper objectMapper() {
        return Json.mapper().copy();
    }
}
