package dev.assay.standalone.engine.installation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuildIdTest {

    @TempDir
    Path temporary;

    private String directory(Map<String, String> files) throws IOException {
        Path directory = Files.createTempDirectory(temporary, "classes");
        for (Map.Entry<String, String> file : files.entrySet()) {
            Path place = directory.resolve(file.getKey());
            Files.createDirectories(place.getParent());
            Files.writeString(place, file.getValue());
        }
        return BuildId.hash(List.of(directory));
    }

    private String jar(Map<String, String> files) throws IOException {
        Path jar = Files.createTempFile(temporary, "classes", ".jar");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
            for (Map.Entry<String, String> file : files.entrySet()) {
                zip.putNextEntry(new ZipEntry(file.getKey()));
                zip.write(file.getValue().getBytes());
            }
        }
        return BuildId.hash(List.of(jar));
    }

    @Test
    void shouldBeTheSameBuildWhenTheClassesAre() throws IOException {
        Map<String, String> classes = Map.of("a/A.class", "a", "a/b/B.class", "b");
        assertThat(jar(classes)).isEqualTo(directory(classes)).hasSize(12);
        assertThat(directory(Map.of("a/A.class", "a", "a/b/B.class", "b", "META-INF/MANIFEST.MF", "built later")))
                .isEqualTo(directory(classes));
    }

    @Test
    void shouldBeAnotherBuildWhenAClassIs() throws IOException {
        String build = jar(Map.of("a/A.class", "a"));
        assertThat(jar(Map.of("a/A.class", "b"))).isNotEqualTo(build);
        assertThat(jar(Map.of("a/B.class", "a"))).isNotEqualTo(build);
    }

    @Test
    void shouldNameTheBuildThatRunsHere() {
        assertThat(BuildId.current()).matches(".+-[0-9a-f]{12}").isEqualTo(BuildId.current());
    }

    /** What workflows decide lies in these modules. One that is cut out of them must be named, too. */
    @Test
    void shouldHashEveryModuleWhoseCodeIsReplayed() {
        assertThat(BuildId.REPLAYED)
                .extracting(
                        type -> root(type.getProtectionDomain().getCodeSource().getLocation(), ""))
                .containsExactlyInAnyOrderElementsOf(Stream.of("dev/assay/workflows", "dev/assay/domain")
                        .flatMap(BuildIdTest::roots)
                        .toList());
    }

    /** The jars and directories of classes that hold {@code folder}. */
    private static Stream<String> roots(String folder) {
        return BuildId.class.getClassLoader().resources(folder).map(found -> root(found, folder));
    }

    private static String root(URL place, String below) {
        return place.toString().replaceFirst("^jar:", "").replaceFirst("!?/*" + below + "/?$", "");
    }
}
