package io.sluice.client;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A list of servers, tried in turn until one runs the destination. For clients that cannot see ZooKeeper; a server that hangs
 * is left only when it has not answered in time.
 */
public final class ServerList implements ServerFinder {
    private final List<ServerAddress> servers;
    private final AtomicInteger next = new AtomicInteger();

    private ServerList(List<ServerAddress> servers) {
        this.servers = List.copyOf(servers);
        if (servers.isEmpty()) {
            throw new IllegalArgumentException("a list without servers");
        }
    }

    /** Makes a list of addresses. */
    public static ServerList of(List<ServerAddress> servers) {
        return new ServerList(servers);
    }

    /** Makes a list of texts {@code host:port}. */
    public static ServerList of(String... servers) {
        return new ServerList(
                List.of(servers).stream().map(ServerAddress::parse).toList());
    }

    @Override
    public Optional<ServerAddress> find() {
        return Optional.of(servers.get(Math.floorMod(next.getAndIncrement(), servers.size())));
    }

    @Override
    public boolean isReplaced(ServerAddress server) {
        return false;
    }

    @Override
    public void onChange(Runnable listener) {}

    @Override
    public void close() {}
}
