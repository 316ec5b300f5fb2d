package dev.assay.activities.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.activities.command.WorkspaceArchive;
import dev.assay.store.workspace.WorkspaceRepository;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Directories of own code that are stored. */
final class StoredCode {

    private StoredCode() {}

    /** The hash of a stored directory with these files. */
    static String of(Engine engine, Path temporary, Map<String, String> files) throws Exception {
        Path directory = Files.createTempDirectory(temporary, "code");
        for (Map.Entry<String, String> file : files.entrySet()) {
            Path path = directory.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue());
        }
        ByteArrayOutputStream archive = new ByteArrayOutputStream();
        assertThat(WorkspaceArchive.writeCode(directory, List.of(), archive)).isEmpty();
        byte[] bytes = archive.toByteArray();
        String id =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        WorkspaceRepository workspaces = engine.store.get(WorkspaceRepository.class);
        workspaces.store(id, 0, bytes);
        workspaces.complete(id, 1, _ -> Optional.empty());
        return id;
    }
}
