package dev.assay.cli.testing;

import dev.assay.standalone.postgres.PreparedCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/** The cluster that servers of tests copy, as those of the launcher do: to make one for each takes a third of their time. */
public final class PreparedStores implements LauncherSessionListener {

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        System.setProperty(
                PreparedCluster.DIRECTORY,
                Path.of("target", "prepared").toAbsolutePath().toString());
        try {
            PreparedCluster.make();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
