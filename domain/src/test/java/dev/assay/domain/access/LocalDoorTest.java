package dev.assay.domain.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LocalDoorTest {

    private static final LocalDoor DOOR = new LocalDoor(Set.of("Assay.example"));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "LOCALHOST:8080",
                "127.0.0.1",
                "127.0.0.1:1",
                "127.8.8.8:8080",
                "[::1]",
                "[::1]:8080",
                "assay.example",
                "ASSAY.example:443"
            })
    void shouldLetInWhenTheHostIsThisMachineOrAllowed(String host) {
        assertThat(DOOR.refusal(List.of(host), List.of())).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example",
                "evil.example:8080",
                "localhost.evil.example",
                "127.0.0.1.evil.example",
                "127.0.0.1@evil.example",
                "assay.example.evil.example",
                "192.168.0.1",
                "0.0.0.0",
                "[::]",
                "localhost:80:80",
                "localhost/",
                ""
            })
    void shouldRefuseWhenTheHostIsForeign(String host) {
        assertThat(DOOR.refusal(List.of(host), List.of())).contains("--allow-host");
    }

    @Test
    void shouldRefuseWhenThereIsNoHostOrMoreThanOne() {
        assertThat(DOOR.refusal(List.of(), List.of())).isNotNull();
        assertThat(DOOR.refusal(List.of("localhost", "evil.example"), List.of()))
                .isNotNull();
    }

    @ParameterizedTest
    @CsvSource({
        "localhost:8080, http://localhost:8080, true",
        "assay.example, https://assay.example, true",
        "localhost:8080, null, false",
        "localhost:8080, http://localhost:3000, false",
        "localhost:8080, http://localhost, false",
        "localhost:8080, http://127.0.0.1:8080, false",
        "localhost:8080, https://evil.example, false",
        "localhost:8080, http://localhost:8080|null, false"
    })
    void shouldRefuseAPageWhenItIsNotTheServersOwn(String host, String origins, boolean own) {
        assertThat(DOOR.refusal(List.of(host), Arrays.asList(origins.split("[|]"))) == null)
                .isEqualTo(own);
    }
}
