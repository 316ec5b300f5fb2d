package dev.assay.standalone.postgres;

import org.postgresql.plugin.AuthenticationPlugin;
import org.postgresql.plugin.AuthenticationRequestType;

/** The password of each further connection, which PostgreSQL's driver asks for: the one that this process's variables have by then. */
public final class DatabasePassword implements AuthenticationPlugin {

    @Override
    public char[] getPassword(AuthenticationRequestType type) {
        return DatabaseAddress.ofProcess()
                .map(DatabaseAddress::password)
                .orElse("")
                .toCharArray();
    }
}
