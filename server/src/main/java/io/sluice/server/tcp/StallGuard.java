package io.sluice.server.tcp;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Closes a connection whose client takes nothing of an answer that waits for it. */
final class StallGuard extends IdleStateHandler {
    private final Runnable beforeClose;

    StallGuard(Duration limit, Runnable beforeClose) {
        super(true, 0, limit.toMillis(), 0, TimeUnit.MILLISECONDS);
        this.beforeClose = beforeClose;
    }

    @Override
    protected void channelIdle(ChannelHandlerContext context, IdleStateEvent event) {
        Channel channel = context.channel();
        ChannelOutboundBuffer unsent = channel.unsafe().outboundBuffer();
        if (unsent != null && unsent.totalPendingWriteBytes() > 0) {
            beforeClose.run();
            context.close();
        }
    }
}
