package io.sluice.admin.fleet.control;

import io.netty.channel.Channel;

/** Closes channels. */
final class Channels {
    private Channels() {}

    /** Closes a channel asynchronously. */
    @SuppressWarnings("FutureReturnValueIgnored") // what cannot be closed is closed already
    static void close(Channel channel) {
        channel.close();
    }
}
