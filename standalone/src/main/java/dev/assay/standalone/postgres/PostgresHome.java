package dev.assay.standalone.postgres;

import java.nio.file.Path;

/**
 * The files of an embedded PostgreSQL.
 *
 * @param data its data directory; made on the first start
 * @param binaries directory that holds one unpacked directory for each version
 * @param passwordFile the password of the role {@code assay}, readable by its owner only
 * @param portFile the port that it was last given
 */
public record PostgresHome(Path data, Path binaries, Path passwordFile, Path portFile, Path log) {

    /** The password of the role {@code postgres}, readable by its owner only; an older data directory has none yet. */
    public Path superuserFile() {
        return passwordFile.resolveSibling("postgres.superuser");
    }

    /** The places below a data directory of Assay. */
    public static PostgresHome in(Path directory) {
        return new PostgresHome(
                directory.resolve("postgres"),
                directory.resolve("bin"),
                directory.resolve("postgres.password"),
                directory.resolve("postgres.port"),
                directory.resolve("logs").resolve("postgres.log"));
    }
}
