package dev.assay.activities.selection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.evaluation.SelectionStrategy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CustomStrategiesTest {

    @TempDir
    Path plugins;

    @Test
    void shouldFindTheExampleWhenItsJarLiesAmongThePlugins() throws IOException {
        ExamplePlugin.build(plugins, "example");
        Files.writeString(plugins.resolve("notes.txt"), "no plugin");

        try (CustomStrategies strategies = CustomStrategies.load(plugins)) {
            assertThat(strategies.names()).containsExactlyInAnyOrder("longest-response", "shortest-answer");
            assertThat(strategies.find("shortest-answer"))
                    .get()
                    .extracting(SelectionStrategy::name)
                    .isEqualTo("shortest-answer");
            assertThat(strategies.find("other")).isEmpty();
        }
    }

    @Test
    void shouldHaveNoneWhenThereAreNoPlugins() throws IOException {
        try (CustomStrategies strategies = CustomStrategies.load(plugins.resolve("missing"))) {
            assertThat(strategies.names()).isEmpty();
        }
    }

    @Test
    void shouldSayWhatIsWrongWhenAPluginNamesAClassThatItDoesNotHave() throws IOException {
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(plugins.resolve("broken.jar")))) {
            jar.putNextEntry(new JarEntry("META-INF/services/" + SelectionStrategy.class.getName()));
            jar.write("com.example.Missing".getBytes(StandardCharsets.UTF_8));
            jar.closeEntry();
        }

        assertThatThrownBy(() -> CustomStrategies.load(plugins))
                .isInstanceOf(AssayException.class)
                .hasMessageContaining("A plugin cannot be loaded")
                .hasMessageContaining("com.example.Missing");
    }
}
