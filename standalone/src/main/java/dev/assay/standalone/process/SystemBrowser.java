package dev.assay.standalone.process;

import dev.assay.work.child.ChildProcess;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The browser that a user's system opens addresses with. */
public final class SystemBrowser {

    /** Of Linux, of macOS. */
    private static final List<String> OPENERS = List.of("xdg-open", "open");

    /** Where the user's windows are, and how the browser that is open already is found. */
    private static final String[] SEES = {
        "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"
    };

    private SystemBrowser() {}

    /**
     * Opens an address.
     *
     * @return whether a program was found and started; what it does then is its own
     */
    public static boolean open(URI address) {
        return command(address)
                .map(command -> {
                    try {
                        ChildProcess.of(command, SEES)
                                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                                .redirectError(ProcessBuilder.Redirect.DISCARD)
                                .start();
                        return true;
                    } catch (IOException e) {
                        return false;
                    }
                })
                .orElse(false);
    }

    private static Optional<List<String>> command(URI address) {
        Stream<List<String>> unix = OPENERS.stream()
                .map(DetachedCommand::onPath)
                .flatMap(Optional::stream)
                .map(program -> List.of(program.toString(), address.toString()));
        Stream<List<String>> windows = System.getProperty("os.name").startsWith("Windows")
                ? Stream.of(List.of("rundll32", "url.dll,FileProtocolHandler", address.toString()))
                : Stream.empty();
        return Stream.concat(unix, windows).findFirst();
    }
}
