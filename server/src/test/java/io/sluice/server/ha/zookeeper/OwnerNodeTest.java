package io.sluice.server.ha.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.server.ha.FormerOwner;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OwnerNodeTest {
    @Test
    void isReadBackAsWritten() {
        OwnerNode node = new OwnerNode(7, "10.0.0.1:11111-1000a", Duration.ofSeconds(10));

        assertThat(node.text()).isEqualTo("epoch=7 leaseMillis=10000 heartbeat=10.0.0.1:11111-1000a");
        assertThat(OwnerNode.parse(node.text()))
                .contains(new FormerOwner(7, "10.0.0.1:11111-1000a", Duration.ofSeconds(10)));
        assertThat(OwnerNode.parse("")).isEmpty();
    }

    @Test
    void anUnknownTextCountsAsAnOwner() {
        assertThatThrownBy(() -> OwnerNode.parse("released")).hasMessageContaining("released");
    }

    @Test
    void aWinnerWritesNoShorterLeaseThanThatOfAnOwnerWhichMayNotBeSilent() {
        Duration own = Duration.ofSeconds(10);

        assertThat(OwnerNode.leaseToWrite(Optional.empty(), own)).isEqualTo(own);
        assertThat(OwnerNode.leaseToWrite(Optional.of(new FormerOwner(6, "a", Duration.ofSeconds(4))), own))
                .isEqualTo(own);
        assertThat(OwnerNode.leaseToWrite(Optional.of(new FormerOwner(6, "a", Duration.ofSeconds(40))), own))
                .isEqualTo(Duration.ofSeconds(40));
    }
}
