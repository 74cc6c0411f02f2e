package io.sluice.connector.rabbitmq.node;

import io.sluice.connector.rabbitmq.settings.Address;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The node that a producer connects to: the same one while its connections last, and the next one after a failure. Kept over the attempts. Thread-safe.
 *
 * <p>The first one depends on the destination, so that the instances of a server are spread over the nodes.
 */
public final class NodeOrder {
    private final List<Address> nodes;
    private final AtomicInteger current;

    /** @param nodes one or more */
    public NodeOrder(List<Address> nodes, String destination) {
        this.nodes = nodes;
        this.current = new AtomicInteger(Math.floorMod(destination.hashCode(), nodes.size()));
    }

    /** How many there are to try. */
    public int count() {
        return nodes.size();
    }

    /** The one to connect to. */
    public Address current() {
        return nodes.get(current.get());
    }

    /**
     * Moves to another one; does nothing if another one than {@code node} is connected to since.
     *
     * @param next one of the nodes; null for the one that follows in the list
     */
    public void leave(Address node, @Nullable Address next) {
        int now = current.get();
        if (nodes.get(now).equals(node)) {
            current.compareAndSet(now, next == null ? (now + 1) % nodes.size() : nodes.indexOf(next));
        }
    }
}
