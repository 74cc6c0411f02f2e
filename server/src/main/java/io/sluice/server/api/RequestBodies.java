package io.sluice.server.api;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads the bodies of the requests of a connection. Of one that is too large {@link TooLarge} is passed on in its place, and nothing is read after it.
 * The connection is closed when that is answered: at the end of the body, or after a while if it has none. A caller that still sends when the
 * connection is closed would lose the answer.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails to be closed is closed already
final class RequestBodies extends HttpObjectAggregator {
    static final int MAX_BYTES = 65_536;

    /** How long the rest of a body that is too large is waited for, from the answer on. */
    static final int REST_SECONDS = 5;

    private @Nullable TooLarge tooLarge;

    RequestBodies() {
        super(MAX_BYTES, true);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object part) throws Exception {
        TooLarge last = tooLarge;
        if (last == null) {
            super.channelRead(context, part);
            return;
        }
        ReferenceCountUtil.release(part);
        if (part instanceof LastHttpContent) {
            last.end.trySuccess();
        }
    }

    /** One that asks whether its body may come, and may not, is answered in its turn, too. */
    @Override
    protected @Nullable Object newContinueResponse(HttpMessage request, int maxBytes, ChannelPipeline pipeline) {
        return isContentLengthInvalid(request, maxBytes)
                ? null
                : super.newContinueResponse(request, maxBytes, pipeline);
    }

    @Override
    protected void handleOversizedMessage(ChannelHandlerContext context, HttpMessage request) {
        TooLarge last = new TooLarge(context);
        tooLarge = last;
        context.fireChannelRead(last);
    }

    /** Stands for a request whose body is too large, of which nothing is kept. */
    static final class TooLarge extends DefaultFullHttpRequest {
        private final ChannelHandlerContext context;

        /** Of its body. */
        private final ChannelPromise end;

        private TooLarge(ChannelHandlerContext context) {
            super(HttpVersion.HTTP_1_1, HttpMethod.POST, "", Unpooled.EMPTY_BUFFER);
            this.context = context;
            this.end = context.newPromise();
        }

        /** Closes the connection when this answer is sent and the body has ended, or its end was waited for. */
        void answered(ChannelFuture answer) {
            context.executor().schedule(() -> context.close(), REST_SECONDS, TimeUnit.SECONDS);
            end.addListener(ended -> answer.addListener(ChannelFutureListener.CLOSE));
        }
    }
}
