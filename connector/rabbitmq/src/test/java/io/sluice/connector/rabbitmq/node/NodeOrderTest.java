package io.sluice.connector.rabbitmq.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.connector.rabbitmq.settings.Address;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NodeOrderTest {
    private static final List<Address> NODES = List.of(node(1), node(2), node(3));

    private final NodeOrder order = new NodeOrder(NODES, "shop");

    private static Address node(int port) {
        return new Address("127.0.0.1", port, false, "guest", "guest", "/");
    }

    @Test
    void theNextOneFollowsAndAfterTheLastTheFirst() {
        Address first = order.current();
        for (int i = 0; i < NODES.size(); i++) {
            order.leave(order.current(), null);
        }

        assertThat(order.current()).isEqualTo(first);
    }

    @Test
    void anAddressThatIsTwiceInTheListDoesNotHideTheOthers() {
        NodeOrder twice = new NodeOrder(List.of(node(1), node(1), node(2)), "shop");
        Set<Address> seen = new HashSet<>();
        for (int i = 0; i < 3; i++) {
            seen.add(twice.current());
            twice.leave(twice.current(), null);
        }

        assertThat(seen).containsExactlyInAnyOrder(node(1), node(2));
    }

    @Test
    void aNodeThatWasLeftBeforeIsNotLeftAgain() {
        Address first = order.current();
        order.leave(first, null);
        Address second = order.current();

        order.leave(first, null);
        order.leave(first, first);

        assertThat(order.current()).isEqualTo(second).isNotEqualTo(first);
    }

    @Test
    void aNodeMayBeLeftForACertainOne() {
        for (Address next : NODES) {
            order.leave(order.current(), next);
            assertThat(order.current()).isEqualTo(next);
        }
    }
}
