package io.sluice.server.port;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.TimeUnit;

/**
 * Limits the connections that are accepted per second; the others wait in the backlog of the system. A handler of the listening channel.
 *
 * <p>A restart, after which all clients come back at once, is spread; none of them is rejected.
 */
@SuppressWarnings("FutureReturnValueIgnored") // the task cannot fail
public final class AcceptRate extends ChannelInboundHandlerAdapter {
    private final int perSecond;
    private int inThisSecond;
    private boolean counting;

    /** Makes one for a port. */
    public AcceptRate(int perSecond) {
        this.perSecond = perSecond;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object accepted) {
        if (!counting) {
            counting = true;
            inThisSecond = 0;
            context.executor().schedule(() -> nextSecond(context), 1, TimeUnit.SECONDS);
        }
        inThisSecond++;
        if (inThisSecond >= perSecond) {
            context.channel().config().setAutoRead(false);
        }
        context.fireChannelRead(accepted);
    }

    private void nextSecond(ChannelHandlerContext context) {
        counting = false;
        context.channel().config().setAutoRead(true);
    }
}
