package io.sluice.server.tcp;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Closes a connection without an answer if nothing was read or nothing was written for the client's idle timeout. */
@SuppressWarnings("FutureReturnValueIgnored") // what fails to be written or closed closes the channel
final class SilenceGuard extends IdleStateHandler {
    SilenceGuard(Duration read, Duration write) {
        super(read.toMillis(), write.toMillis(), 0, TimeUnit.MILLISECONDS);
    }

    @Override
    protected void channelIdle(ChannelHandlerContext context, IdleStateEvent event) {
        context.close();
    }
}
