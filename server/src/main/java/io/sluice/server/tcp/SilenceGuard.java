package io.sluice.server.tcp;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Closes, without a word, a connection on which nothing came or nothing went for as long as its client said. */
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
