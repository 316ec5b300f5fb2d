package dev.assay.cli.testing;

import dev.assay.standalone.postgres.PreparedCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * What a build prepares for servers, made for those of tests, too: the cluster that they copy, and the classes that they start with.
 * To do without takes two thirds of the time of a start.
 */
public final class PreparedServers implements LauncherSessionListener {

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        System.setProperty(
                PreparedCluster.DIRECTORY,
                Path.of("target", "prepared").toAbsolutePath().toString());
        try {
            PreparedCluster.make();
            TrainedProduct.make();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
