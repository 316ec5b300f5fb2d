package dev.assay.activities.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.assay.domain.error.AssayException;
import dev.assay.work.confine.ConfinedStart;
import dev.assay.work.confine.OtherUser;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The users of attempts. None is given to two attempts, and none with a process of an attempt before. */
@Timeout(60)
class AgentUsersTest {

    private static final int FIRST = 61_000;

    @TempDir
    Path temporary;

    private AgentUsers users() {
        assumeTrue(OtherUser.isPossible(), "This is not root: nothing runs as another user");
        return new AgentUsers(Map.of(AgentUsers.VARIABLE, String.valueOf(FIRST)), temporary);
    }

    private static Process process(int user) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("sleep", "61").directory(new File("/"));
        return ConfinedStart.start(List.of(new OtherUser(user)), builder);
    }

    /** Whether another process of this machine could take the user. */
    private boolean isFreeForOthers(int user) throws Exception {
        String lock = "import fcntl, sys; fcntl.lockf(open(sys.argv[1], 'w'), fcntl.LOCK_EX | fcntl.LOCK_NB)";
        Process other = new ProcessBuilder(
                        "/usr/bin/python3",
                        "-c",
                        lock,
                        temporary.resolve("users/" + user).toString())
                .redirectErrorStream(true)
                .start();
        other.getInputStream().readAllBytes();
        return other.waitFor() == 0;
    }

    @Test
    void shouldKeepEachUserFromOtherProcessesWhenSeveralAreTaken() throws Exception {
        AgentUsers users = users();
        AgentUsers.Taken one = users.take();
        AgentUsers.Taken two = users.take();
        assertThat(one.user().id()).isEqualTo(FIRST);
        assertThat(two.user().id()).isEqualTo(FIRST + 1);
        assertThat(isFreeForOthers(FIRST)).isFalse();
        assertThat(isFreeForOthers(FIRST + 1)).isFalse();

        one.free();

        assertThat(isFreeForOthers(FIRST)).isTrue();
        assertThat(isFreeForOthers(FIRST + 1)).isFalse();
        two.free();
    }

    @Test
    void shouldKillWhatRunsAsAUserWhenItIsTakenAgain() throws Exception {
        AgentUsers users = users();
        Process left = process(FIRST);

        AgentUsers.Taken taken = users.take();

        assertThat(taken.user().id()).isEqualTo(FIRST);
        await().until(() -> !left.isAlive());
        taken.free();
    }

    @Test
    void shouldKillWhatDeadWorkersLeftButNotWhatAnAttemptHas() throws Exception {
        AgentUsers users = users();
        AgentUsers.Taken taken = users.take();
        Process own = process(FIRST);
        Process left = process(FIRST + 7);

        users.clear();

        await().until(() -> !left.isAlive());
        assertThat(own.isAlive()).isTrue();
        taken.free();
        await().until(() -> !own.isAlive());
    }

    @Test
    void shouldNameTheVariableWhenItNamesNoUser() {
        assertThatThrownBy(() -> new AgentUsers(Map.of(AgentUsers.VARIABLE, "0"), temporary))
                .isInstanceOf(AssayException.class)
                .hasMessageContaining("ASSAY_AGENT_UID");
    }
}
