package dev.assay.store.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.domain.access.Scope;
import dev.assay.domain.error.AssayException;
import dev.assay.store.StoreFixture;
import dev.assay.store.StoreTest;
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
        assertThat(tokens.valid(GIVEN)).as("one that was revoked stays so").isEmpty();
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
        assertThat(store.get(AuditRepository.class).latest(2))
                .extracting(AuditRow::what)
                .containsExactly("token revoke noted", "token create noted read");
    }
}
