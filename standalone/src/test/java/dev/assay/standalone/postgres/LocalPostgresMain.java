package dev.assay.standalone.postgres;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** A parent to be killed: starts PostgreSQL, writes a row, prints the postmaster's id and waits. */
final class LocalPostgresMain {

    private LocalPostgresMain() {}

    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]);
        PostgresHome home = PostgresHome.in(directory);
        LocalPostgres postgres = LocalPostgres.start(
                new PostgresHome(home.data(), Path.of(arguments[1]), home.passwordFile(), home.portFile(), home.log()),
                () -> {});
        LocalPostgresTest.execute(postgres, "CREATE TABLE kept AS SELECT 42 AS answer");
        System.out.println(postgres.pid());
        new CountDownLatch(1).await();
    }
}
