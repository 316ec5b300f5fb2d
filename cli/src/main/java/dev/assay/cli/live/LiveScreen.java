package dev.assay.cli.live;

import dev.assay.cli.client.RemoteCampaign;
import dev.assay.cli.terminal.Interrupts;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.terminal.TerminalBuilder.SystemOutput;
import org.jline.utils.AttributedString;
import org.jline.utils.Display;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a terminal on which campaigns are drawn again and again. Between two draws the cursor stands below them, so that what
 * others print begins there.
 */
public final class LiveScreen implements AutoCloseable {

    private final Terminal terminal;
    private final Display display;
    private Size size;

    private LiveScreen(Terminal terminal, Size size) {
        this.terminal = terminal;
        this.size = size;
        this.display = new Display(terminal, false);
        display.resize(size);
    }

    /** The screen; null where no person looks on, input comes from elsewhere, or the terminal cannot move its cursor. */
    public static @Nullable LiveScreen open() {
        return dev.assay.cli.terminal.Terminal.isInteractive() ? openTerminal() : null;
    }

    private static @Nullable LiveScreen openTerminal() {
        try {
            // Signals stay with the command, nothing is read, and the terminal is asked nothing.
            Terminal terminal = TerminalBuilder.builder()
                    .system(true)
                    .systemOutput(SystemOutput.SysErr)
                    .provider("ffm")
                    .dumb(true)
                    .nativeSignals(false)
                    .graphemeCluster(false)
                    .paused(true)
                    .build();
            Size size = Size.of(terminal.getSize());
            if (terminal.getType().startsWith(Terminal.TYPE_DUMB) || size.getColumns() < 1 || size.getRows() < 1) {
                terminal.close();
                return null;
            }
            return new LiveScreen(terminal, size);
        } catch (IOException | IllegalStateException e) {
            // Lines without a screen say the same.
            return null;
        }
    }

    /** Draws campaigns in place of what was drawn before. */
    public void show(List<RemoteCampaign> campaigns) {
        fit();
        draw(new LiveView(Instant.now(), size.getColumns()).lines(campaigns, size.getRows()));
    }

    /** Draws how the campaigns stand at last. That stays. */
    public void end(List<RemoteCampaign> campaigns) {
        fit();
        LiveView view = new LiveView(Instant.now(), size.getColumns());
        List<String> lines =
                campaigns.stream().flatMap(one -> view.head(one).stream()).toList();
        int most = Math.max(1, size.getRows() - 1);
        draw(lines.subList(0, Math.min(most, lines.size())));
    }

    /** People change the size of a terminal at any time. */
    private void fit() {
        Size now = Size.of(terminal.getSize());
        if (!now.equals(size) && now.getColumns() > 0 && now.getRows() > 0) {
            size = now;
            display.clear();
            display.resize(size);
        }
    }

    private void draw(List<String> lines) {
        // After Ctrl-C its last words stand here.
        Interrupts.stayIfInterrupted();
        List<AttributedString> drawn = new ArrayList<>();
        lines.forEach(line -> drawn.add(new AttributedString(line)));
        drawn.add(AttributedString.EMPTY);
        display.update(drawn, size.cursorPos(lines.size(), 0));
    }

    @Override
    public void close() {
        try {
            terminal.close();
        } catch (IOException e) {
            throw new AssayException(ErrorCode.INTERNAL, "The terminal could not be left: " + e, e);
        }
    }
}
