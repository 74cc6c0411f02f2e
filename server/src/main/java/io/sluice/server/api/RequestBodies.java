package io.sluice.server.api;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.sluice.server.port.RejectionLog;
import java.util.concurrent.TimeUnit;

/**
 * Reads the bodies of the requests of a connection. One that is too large is answered and not read, and the connection is closed: at the end of the
 * body, or after a while if it has none. A caller that still sends when the connection is closed would lose the answer.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails to be written or closed closes the channel
final class RequestBodies extends HttpObjectAggregator {
    static final int MAX_BYTES = 65_536;

    /** How long the rest of a body that is too large is waited for. */
    static final int REST_SECONDS = 5;

    private final RejectionLog rejections;
    private boolean isEnding;

    RequestBodies(RejectionLog rejections) {
        super(MAX_BYTES, true);
        this.rejections = rejections;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object part) throws Exception {
        if (!isEnding) {
            super.channelRead(context, part);
            return;
        }
        ReferenceCountUtil.release(part);
        if (part instanceof LastHttpContent) {
            context.close();
        }
    }

    @Override
    protected void handleOversizedMessage(ChannelHandlerContext context, HttpMessage request) {
        isEnding = true;
        rejections.closed(
                context.channel().remoteAddress(),
                "the body of its request has more than %d bytes".formatted(MAX_BYTES));
        FullHttpResponse answer = ApiResponses.problem(413, "the body may have %d bytes at most".formatted(MAX_BYTES));
        HttpUtil.setKeepAlive(answer, false);
        context.writeAndFlush(answer);
        context.executor().schedule(() -> context.close(), REST_SECONDS, TimeUnit.SECONDS);
    }
}
