package io.sluice.server.api;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads the bodies of the requests of a connection. A caller that asks whether its body may come is an event, {@link Ask}. Of a request whose body is
 * not read, since it is too large or the caller expects what is not done here, {@link Unread} is passed on in its place, and nothing is read after it.
 * The connection is closed when that is answered: at the end of the body, or after a while if it has none. A caller that still sends when the
 * connection is closed would lose the answer.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails to be closed is closed already
final class RequestBodies extends HttpObjectAggregator {
    static final int MAX_BYTES = 65_536;

    /** How long the rest of a body that is not read is waited for, from the answer on. */
    static final int REST_SECONDS = 5;

    private @Nullable Unread unread;

    /** That a caller asks whether the body of its request may come: to be answered in its turn, unless the body comes before. */
    enum Ask {
        EVENT
    }

    RequestBodies() {
        super(MAX_BYTES, true);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object part) throws Exception {
        Unread last = unread;
        if (last == null) {
            if (part instanceof HttpRequest request && expectsWhatIsNotDone(request)) {
                ReferenceCountUtil.release(part);
                leaveUnread(
                        context,
                        HttpResponseStatus.EXPECTATION_FAILED,
                        "nothing can be expected but 100-continue: leave out the header Expect");
            } else {
                super.channelRead(context, part);
            }
            return;
        }
        ReferenceCountUtil.release(part);
        if (part instanceof LastHttpContent) {
            last.end.trySuccess();
        }
    }

    private static boolean expectsWhatIsNotDone(HttpRequest request) {
        String expected = request.headers().get(HttpHeaderNames.EXPECT);
        return expected != null
                && request.protocolVersion().compareTo(HttpVersion.HTTP_1_1) >= 0
                && !HttpHeaderValues.CONTINUE.contentEqualsIgnoreCase(expected);
    }

    /** Sends nothing by itself: answers to requests before it may be due. */
    @Override
    protected @Nullable Object newContinueResponse(HttpMessage request, int maxBytes, ChannelPipeline pipeline) {
        if (HttpUtil.is100ContinueExpected(request) && !isContentLengthInvalid(request, maxBytes)) {
            pipeline.context(this).fireUserEventTriggered(Ask.EVENT);
        }
        return null;
    }

    @Override
    protected void handleOversizedMessage(ChannelHandlerContext context, HttpMessage request) {
        leaveUnread(
                context,
                HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE,
                "the body may have %d bytes at most".formatted(MAX_BYTES));
    }

    private void leaveUnread(ChannelHandlerContext context, HttpResponseStatus status, String why) {
        Unread last = new Unread(context, status, why);
        unread = last;
        context.fireChannelRead(last);
    }

    /** Stands for a request whose body is not read, of which nothing is kept. */
    static final class Unread extends DefaultFullHttpRequest {
        private final ChannelHandlerContext context;
        private final HttpResponseStatus status;
        private final String why;

        /** Of its body. */
        private final ChannelPromise end;

        private Unread(ChannelHandlerContext context, HttpResponseStatus status, String why) {
            super(HttpVersion.HTTP_1_1, HttpMethod.POST, "", Unpooled.EMPTY_BUFFER);
            this.context = context;
            this.status = status;
            this.why = why;
            this.end = context.newPromise();
        }

        /** With which it is answered. */
        HttpResponseStatus status() {
            return status;
        }

        /** The reason, for the caller and the log. */
        String why() {
            return why;
        }

        /** Closes the connection when this answer is sent and the body has ended, or its end was waited for. */
        void answered(ChannelFuture answer) {
            context.executor().schedule(() -> context.close(), REST_SECONDS, TimeUnit.SECONDS);
            end.addListener(ended -> answer.addListener(ChannelFutureListener.CLOSE));
        }
    }
}
