package io.sluice.server.port;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Closes a connection without an answer if nothing was read or nothing was written for the client's idle timeout. */
@SuppressWarnings("FutureReturnValueIgnored") // what fails to be written or closed closes the channel
public final class SilenceGuard extends IdleStateHandler {
    /**
     * Makes one for a connection.
     *
     * @param read how long nothing may be read
     * @param write how long nothing may be written
     */
    public SilenceGuard(Duration read, Duration write) {
        super(read.toMillis(), write.toMillis(), 0, TimeUnit.MILLISECONDS);
    }

    /**
     * The idle timeout that a client gets.
     *
     * @param askedMillis what it asks for; 0 and less for the longest
     * @param longest what it gets at most
     */
    public static Duration granted(int askedMillis, Duration longest) {
        Duration asked = Duration.ofMillis(askedMillis);
        return askedMillis <= 0 || asked.compareTo(longest) > 0 ? longest : asked;
    }

    @Override
    protected void channelIdle(ChannelHandlerContext context, IdleStateEvent event) {
        context.close();
    }
}
