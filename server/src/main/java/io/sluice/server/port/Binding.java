package io.sluice.server.port;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import java.io.IOException;
import java.net.InetSocketAddress;

/** Opens ports. */
public final class Binding {
    private Binding() {}

    /**
     * Opens a port and waits until it is open.
     *
     * @param bootstrap what happens there
     * @param address what to listen on; blank for all addresses
     * @param port 0 for any that is free
     * @param keys the configuration's keys of the two, for messages
     * @throws IOException if it cannot be opened; it says where, why, and what to do
     */
    public static Channel open(ServerBootstrap bootstrap, String address, int port, String keys) throws IOException {
        InetSocketAddress place =
                address.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(address, port);
        ChannelFuture bound = bootstrap.bind(place).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new IOException(
                    "cannot listen on %s (%s): %s: end the process that listens there (ss -ltnp shows it), or choose another port or address"
                            .formatted(place, keys, bound.cause().getMessage()),
                    bound.cause());
        }
        return bound.channel();
    }
}
