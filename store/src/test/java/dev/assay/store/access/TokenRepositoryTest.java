package dev.assay.store.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.domain.access.Scope;
import dev.assay.domain.error.AssayException;
import dev.assay.store.StoreFixture;
import dev.assay.store.StoreTest;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@StoreTest
final class TokenRepositoryTest {

    private static final Actor WHO = new Actor("somebody", "a test");
    private static final String GIVEN = "0123456789abcdef0123456789abcdef";

    @Test
    void shouldUseANameOnceForEver(StoreFixture store) {
        TokenRepository tokens = store.get(TokenRepository.class);
        tokens.create("once", Scope.RUN, null, WHO);
        tokens.revoke("once", WHO);
        assertThatThrownBy(() -> tokens.create("once", Scope.RUN, null, WHO))
                .isInstanceOf(AssayException.class)
                .hasMessageContaining("once");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "-a", "environment-a", "a\u0000", "ä", "a b", "a\u001b[2J"})
    void shouldRefuseANameWhenItIsNoPlainWord(String name, StoreFixture store) {
        TokenRepository tokens = store.get(TokenRepository.class);
        assertThatThrownBy(() -> tokens.create(name, Scope.READ, null, WHO)).isInstanceOf(AssayException.class);
    }

    @Test
    void shouldReplaceTheTokenOfTheEnvironmentWhenItChanges(StoreFixture store) {
        TokenRepository tokens = store.get(TokenRepository.class);
        tokens.adopt(GIVEN, WHO);
        tokens.adopt(GIVEN, WHO);
        assertThat(tokens.valid(GIVEN).orElseThrow().scope()).isEqualTo(Scope.ADMIN);

        tokens.adopt(GIVEN + "2", WHO);
        assertThat(tokens.valid(GIVEN)).isEmpty();
        assertThat(tokens.valid(GIVEN + "2")).isPresent();

        tokens.adopt(GIVEN, WHO);
        assertThat(tokens.valid(GIVEN)).as("it comes back").isPresent();
        assertThat(tokens.valid(GIVEN + "2"))
                .as("only what the environment has")
                .isEmpty();

        tokens.adoptNone(WHO);
        assertThat(tokens.valid(GIVEN)).as("none is set").isEmpty();
    }

    @Test
    void shouldRefuseTheTokenOfTheEnvironmentWhenAPersonRevokedIt(StoreFixture store) {
        TokenRepository tokens = store.get(TokenRepository.class);
        String given = GIVEN + "person";
        tokens.adopt(given, WHO);
        String name = tokens.all().getLast().name();
        tokens.adopt(GIVEN + "other", WHO);
        tokens.revoke(name, new Actor("ann", "a test"));

        assertThatThrownBy(() -> tokens.adopt(given, WHO))
                .hasMessageContaining("was revoked on")
                .hasMessageContaining("by ann: set another")
                .message()
                .doesNotContain(given);
        assertThat(tokens.valid(GIVEN + "other")).as("the one before goes on").isPresent();
        tokens.adoptNone(WHO);
        assertThat(tokens.all())
                .filteredOn(token -> token.name().equals(name))
                .singleElement()
                .satisfies(token -> {
                    assertThat(token.revokedBy()).isEqualTo("ann");
                    assertThat(token.revokedWhy()).isEqualTo(Revocation.PERSON);
                });
    }

    @Test
    void shouldLeaveTokensOfPeopleWhenTheEnvironmentChanges(StoreFixture store) {
        TokenRepository tokens = store.get(TokenRepository.class);
        String own = tokens.create("of-a-person", Scope.RUN, null, WHO);
        tokens.adopt(GIVEN + "3", WHO);
        tokens.adoptNone(WHO);

        assertThat(tokens.valid(own)).isPresent();
    }

    @Test
    void shouldHaveOneTokenOfTheEnvironmentWhenServersStartAtOnce(StoreFixture store) throws Exception {
        TokenRepository tokens = store.get(TokenRepository.class);
        for (int round = 0; round < 10; round++) {
            String base = GIVEN + "-at-once-" + round;
            try (ExecutorService servers = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < 4; i++) {
                    String given = base + "-" + i;
                    servers.submit(() -> tokens.adopt(given, WHO));
                }
            }
            long valid = tokens.all().stream()
                    .filter(token -> token.name().startsWith("environment-") && token.revokedAt() == null)
                    .count();
            assertThat(valid).isOne();
        }
    }

    @Test
    void shouldWriteDownEachTokenThatIsRotatedOut(StoreFixture store) {
        TokenRepository tokens = store.get(TokenRepository.class);
        tokens.adopt(GIVEN + "a", WHO);
        tokens.adopt(GIVEN + "b", WHO);
        assertThat(store.get(AuditRepository.class)
                        .page(AuditFilter.ALL, null, 2)
                        .items())
                .extracting(row -> row.what().replaceAll("-[0-9a-f]{8}", "-X"))
                .containsExactly("token rotate out environment-X", "token adopt environment-X");

        tokens.adopt(GIVEN + "b", WHO);
        assertThat(store.get(AuditRepository.class)
                        .page(AuditFilter.ALL, null, 1)
                        .items()
                        .getFirst()
                        .what())
                .as("nothing changes")
                .startsWith("token rotate out");
    }

    @Test
    void shouldNotRaiseATokenWhenTheEnvironmentGivesIt(StoreFixture store) {
        TokenRepository tokens = store.get(TokenRepository.class);
        String reader = tokens.create("looks", Scope.READ, null, WHO);
        tokens.adopt(reader, WHO);
        assertThat(tokens.valid(reader).orElseThrow().scope()).isEqualTo(Scope.READ);
    }

    @ParameterizedTest
    @ValueSource(strings = {"short", "0123456789abcdef0123456789abcde\u200b", "0123456789abcdef 0123456789abcdef"})
    void shouldRefuseATokenOfTheEnvironmentWhenItIsWeakOrNoHeader(String given, StoreFixture store) {
        TokenRepository tokens = store.get(TokenRepository.class);
        assertThatThrownBy(() -> tokens.adopt(given, WHO))
                .isInstanceOf(AssayException.class)
                .hasMessageContaining("ASSAY_API_TOKEN")
                .message()
                .doesNotContain(given);
    }

    @Test
    void shouldWriteDownWhoMadeAndRevoked(StoreFixture store) {
        TokenRepository tokens = store.get(TokenRepository.class);
        tokens.create("noted", Scope.READ, null, WHO);
        tokens.revoke("noted", WHO);
        assertThat(store.get(AuditRepository.class)
                        .page(AuditFilter.ALL, null, 2)
                        .items())
                .extracting(AuditRow::what)
                .containsExactly("token revoke noted", "token create noted read");
    }
}
