package io.sluice.server.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.failure.SourceFailure;
import io.sluice.server.instance.InstanceState;
import org.junit.jupiter.api.Test;

class InstanceHealthTest {
    private static boolean isWell(SourceFailure failure) {
        return new InstanceHealth("shop", InstanceState.RUNNING, null, failure).isWell();
    }

    /** Else the first sign would be that it stops. */
    @Test
    void anInstanceWhoseServerIdIsInDoubleUseNeedsAttentionThoughItReads() {
        assertThat(isWell(SourceFailure.DUPLICATE_SERVER_ID)).isFalse();
        assertThat(isWell(SourceFailure.UNREACHABLE)).isTrue();
        assertThat(isWell(null)).isTrue();
    }

    /** Else changes would be missed without a sign: it reads a server that has no more. */
    @Test
    void anInstanceWhoseAddressLeadsToAnotherServerNeedsAttentionThoughItReads() {
        assertThat(isWell(SourceFailure.OTHER_SERVER)).isFalse();
    }
}
