package dev.assay.standalone.server;

import dev.assay.domain.access.LocalDoor;
import dev.assay.domain.isolation.IsolationLevel;
import dev.assay.standalone.engine.EngineKind;
import dev.assay.standalone.engine.PagesAccess;
import dev.assay.standalone.start.Waiting;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The settings with which a server is started.
 *
 * @param command what the user typed, for others who want the same data directory
 * @param host address on which the API listens
 * @param port port of the API; 0: any free one
 * @param allowedHosts names under which it may be asked beside those of loopback, as long as it listens there only
 * @param isolation the level that the user asks for; null: none
 * @param temporalUi whether a dev server has pages where nothing hides them, too
 */
public record ServerOptions(
        String command,
        String host,
        int port,
        EngineKind engine,
        Role role,
        Set<String> allowedHosts,
        @Nullable IsolationLevel isolation,
        boolean temporalUi) {

    public ServerOptions {
        allowedHosts = Set.copyOf(allowedHosts);
    }

    /** With no other names than those of loopback. */
    public ServerOptions(String command, String host, int port, EngineKind engine, Role role) {
        this(command, host, port, engine, role, Set.of(), null, false);
    }

    /** The access to the pages of a dev server. */
    PagesAccess pages() {
        return new PagesAccess(new LocalDoor(allowedHosts), temporalUi);
    }

    /** The work of a server beside answering the API. */
    public enum Role {
        /** Answers questions that PostgreSQL answers alone: lists and compares. */
        LISTER(false, false, false, false),
        /** Says what its worker could ask, and what that costs. */
        PLANNER(true, false, false, false),
        /** Answers questions only, also what Temporal says of a campaign. */
        READER(false, true, false, false),
        /** Works on the campaigns that are submitted to it. */
        RUNNER(true, true, false, false),
        /** Also resumes every campaign that was going on, and lets other commands join it. */
        SERVICE(true, true, true, true),
        /** As a service, without a worker: workers are other processes. */
        API_ONLY(false, true, true, true);

        private final boolean works;
        private final boolean asksTemporal;
        private final boolean reconciles;
        private final boolean shared;

        Role(boolean works, boolean asksTemporal, boolean reconciles, boolean shared) {
            this.works = works;
            this.asksTemporal = asksTemporal;
            this.reconciles = reconciles;
            this.shared = shared;
        }

        /** The time that its start waits for external stores. */
        Duration patience() {
            return shared ? Waiting.SERVICE : Waiting.PROMPT;
        }

        /** Whether it runs cells. */
        public boolean works() {
            return works;
        }

        /** Whether it needs the Temporal that runs campaigns. One in this process stands in for it where not. */
        public boolean asksTemporal() {
            return asksTemporal;
        }

        /** Whether it restarts campaigns that have no workflow. */
        public boolean reconciles() {
            return reconciles;
        }

        /** Whether {@code run} may join it. */
        public boolean shared() {
            return shared;
        }
    }
}
