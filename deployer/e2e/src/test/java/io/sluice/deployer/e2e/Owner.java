package io.sluice.deployer.e2e;

import static org.awaitility.Awaitility.await;

import io.sluice.testkit.zookeeper.ZooKeeperNode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Who runs an instance, as ZooKeeper knows it. */
final class Owner {
    private final ZooKeeperNode zooKeeper;
    private final String destination;

    Owner(ZooKeeperNode zooKeeper, String instance) {
        this.zooKeeper = zooKeeper;
        this.destination = "/otter/canal/destinations/" + instance;
    }

    /** The node that names it. */
    String node() {
        return destination + "/running";
    }

    /** {@code ip:port} of the server that runs it; empty if there is none. */
    String address() {
        String text = zooKeeper.text(node());
        return text == null ? "" : text.replaceAll(".*\"address\":\"([^\"]*)\".*", "$1");
    }

    /** Waits for one: for a moment there may be none, where a server is so slow that it loses its session by itself. */
    String awaitAddress(Duration patience) {
        return await().atMost(patience).until(this::address, address -> !address.isEmpty());
    }

    /** Up to where it has delivered to the broker, as it is stored; null if nothing is. */
    @Nullable String cursor() {
        return zooKeeper.text(destination + "/1001/cursor");
    }

    /** Counts the owners. */
    long epoch() {
        return zooKeeper.version(destination.replace("/otter/canal/", "/otter/sluice/") + "/epoch");
    }

    /** How many servers could run it. */
    int candidates() {
        return zooKeeper.children(destination + "/cluster");
    }

    /** Whether there is an owner, later than the given one. */
    boolean isLaterThan(long epoch) {
        return epoch() > epoch && !address().isEmpty();
    }
}
