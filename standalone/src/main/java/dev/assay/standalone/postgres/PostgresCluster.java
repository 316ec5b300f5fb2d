package dev.assay.standalone.postgres;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.work.file.FileTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files of a PostgreSQL data directory: made once, on the first start. */
final class PostgresCluster {

    /** Assay's role, which owns its database and is no superuser. */
    static final String USER = "assay";

    /** For tasks that need a superuser: making role and database. */
    static final String SUPERUSER = "postgres";

    private static final String MAJOR_VERSION = "18";
    private static final int PASSWORD_BYTES = 24;

    private static final Logger LOG = LoggerFactory.getLogger(PostgresCluster.class);

    private PostgresCluster() {}

    /**
     * Makes the data directory if there is none.
     *
     * @return the password of {@link #USER}
     * @throws AssayException STORE_UNAVAILABLE when another version of PostgreSQL made it
     */
    static String ensure(PostgresTools tools, PostgresHome home) throws IOException {
        if (!Files.exists(home.data())) {
            writePassword(home.passwordFile(), newPassword());
            writePassword(home.superuserFile(), newPassword());
            create(tools, home);
        }
        String version = Files.readString(home.data().resolve("PG_VERSION"), StandardCharsets.UTF_8)
                .strip();
        if (!version.equals(MAJOR_VERSION)) {
            throw new AssayException(
                    ErrorCode.STORE_UNAVAILABLE,
                    home.data() + " was made by PostgreSQL " + version + " and this Assay runs PostgreSQL "
                            + MAJOR_VERSION + "; use the Assay that made it, or another data directory (--data)");
        }
        return password(home.passwordFile());
    }

    /** The password in {@code file}. */
    static String password(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.UTF_8).strip();
    }

    private static void create(PostgresTools tools, PostgresHome home) throws IOException {
        // A start that was interrupted leaves no half-made data directory under the name, and this one begins anew.
        Path unfinished = home.data().resolveSibling(home.data().getFileName() + "-unfinished");
        FileTree.delete(unfinished);
        Optional<PreparedCluster> prepared = PreparedCluster.ofBuild();
        if (prepared.isEmpty() || !isCopied(prepared.get(), tools, home, unfinished)) {
            make(tools, home, unfinished);
        }
        Files.move(unfinished, home.data(), StandardCopyOption.ATOMIC_MOVE);
    }

    private static boolean isCopied(PreparedCluster prepared, PostgresTools tools, PostgresHome home, Path directory)
            throws IOException {
        try {
            prepared.copy(tools, directory, password(home.superuserFile()), password(home.passwordFile()));
            return true;
        } catch (IOException e) {
            LOG.warn("The prepared cluster cannot be used, and another is made: {}", e.getMessage());
            FileTree.delete(directory);
            return false;
        }
    }

    private static void make(PostgresTools tools, PostgresHome home, Path directory) throws IOException {
        tools.run(List.of(
                tools.executable("initdb").toString(),
                "--pgdata=" + directory,
                "--username=" + SUPERUSER,
                "--pwfile=" + home.superuserFile(),
                "--auth=scram-sha-256",
                "--encoding=UTF8",
                "--locale=C",
                "--locale-provider=builtin",
                "--builtin-locale=C.UTF-8"));
    }

    /** Hexadecimal digits. */
    static String newPassword() {
        byte[] random = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    /** Keeps {@code password} in {@code file}, for its owner only. */
    static void writePassword(Path file, String password) throws IOException {
        Path next = Files.createTempFile(
                file.toAbsolutePath().getParent(),
                "password-",
                "",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(next, password + "\n", StandardCharsets.UTF_8);
        // A start that was interrupted leaves no half of it.
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
