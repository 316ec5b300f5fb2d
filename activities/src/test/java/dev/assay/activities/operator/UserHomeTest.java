package dev.assay.activities.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UserHomeTest {

    @Test
    void shouldBeTheVariableWhenItIsAnAbsolutePath() {
        assertThat(UserHome.of("/a home/of mine", "/root")).isEqualTo(Path.of("/a home/of mine"));
        assertThat(UserHome.of("/", "/root")).isEqualTo(Path.of("/"));
    }

    @Test
    void shouldBeTheOneThatJavaKnowsWhenTheVariableIsNoAbsolutePath() {
        for (String variable : new String[] {null, "", "relative/home", "~", ".", " "}) {
            assertThat(UserHome.of(variable, "/root"))
                    .as(String.valueOf(variable))
                    .isEqualTo(Path.of("/root"));
        }
    }

    @Test
    void shouldNameTheOtherDirectoryOnlyWhenThatAloneExists(@TempDir Path homes) throws IOException {
        Path used = homes.resolve("used");
        Path listed = homes.resolve("listed");
        assertThat(UserHome.overlooked(used, listed)).as("neither").isNull();

        Files.createDirectory(listed);
        assertThat(UserHome.overlooked(used, listed)).as("the other alone").isEqualTo(listed);
        assertThat(UserHome.overlooked(listed, listed)).as("the same").isNull();

        Files.createDirectory(used);
        assertThat(UserHome.overlooked(used, listed)).as("both").isNull();
    }
}
