package io.sluice.connector.rabbitmq.node;

import io.sluice.connector.rabbitmq.settings.Address;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

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

    /** Moves to the next one; does nothing if that was done since. */
    public void leave(Address node) {
        int now = current.get();
        move(node, now, (now + 1) % nodes.size());
    }

    /**
     * Moves to a certain one; does nothing if another one than {@code node} is connected to since.
     *
     * @param next one of the nodes
     */
    public void leave(Address node, Address next) {
        move(node, current.get(), nodes.indexOf(next));
    }

    private void move(Address node, int now, int next) {
        if (nodes.get(now).equals(node)) {
            current.compareAndSet(now, next);
        }
    }
}
