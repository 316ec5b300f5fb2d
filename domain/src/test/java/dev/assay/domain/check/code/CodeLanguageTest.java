package dev.assay.domain.check.code;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CodeLanguageTest {

    @ParameterizedTest
    @CsvSource({
        "PYTHON, 3.9.0",
        "PYTHON, 3.14.2",
        "PYTHON, 4.0",
        "PYTHON, 3.9",
        "JAVASCRIPT, 20.0.0",
        "JAVASCRIPT, 24.11.1",
        "PROGRAM, ''"
    })
    void shouldTakeAnInterpreterThatIsNewEnough(CodeLanguage language, String version) {
        assertThat(language.refusal(version, "here")).isNull();
    }

    @ParameterizedTest
    @CsvSource({"PYTHON, 3.8.20", "PYTHON, 2.7.18", "PYTHON, 3", "JAVASCRIPT, 18.20.8", "JAVASCRIPT, ''", "PYTHON, x.y"
    })
    void shouldRefuseAnInterpreterThatIsOlder(CodeLanguage language, String version) {
        assertThat(language.refusal(version, "here")).contains("needs ").endsWith(" or newer.");
    }

    @Test
    void shouldNameTheInterpreterAndBothVersions() {
        assertThat(CodeLanguage.PYTHON.refusal("3.8.20", "here"))
                .isEqualTo("python3 on the PATH of here is version 3.8.20, and own code needs 3.9 or newer.");
    }
}
