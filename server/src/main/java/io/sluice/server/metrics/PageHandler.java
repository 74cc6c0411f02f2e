package io.sluice.server.metrics;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.timeout.TimeoutException;
import io.sluice.server.port.RejectionLog;
import io.sluice.server.port.UnsentAnswers;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the requests of one connection with pages, one after the other. The next answer is made when the one before it is written, and
 * nothing is read from the connection before all requests are answered, so that a client that does not read has one answer in memory. For a
 * channel that does not read by itself.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails to be written or closed closes the channel
final class PageHandler extends SimpleChannelInboundHandler<HttpObject> {
    private static final Logger LOG = LoggerFactory.getLogger(PageHandler.class);

    private final Map<String, Page> pages;
    private final RejectionLog rejections;
    private final UnsentAnswers unsent;

    /** Requests that came with the one that is answered now, and what is none; no more than the channel reads at once. */
    private final Deque<HttpObject> waiting = new ArrayDeque<>();

    /** Whether an answer is not written yet, or was the last one. */
    private boolean isAnswering;

    /**
     * Makes one.
     *
     * @param pages by their paths
     * @param unsent counts the answers of all connections
     */
    PageHandler(Map<String, Page> pages, RejectionLog rejections, UnsentAnswers unsent) {
        this.unsent = unsent;
        this.pages = pages;
        this.rejections = rejections;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        context.read();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (!isAnswering) {
            context.read();
        }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, HttpObject part) {
        if (!(part instanceof HttpRequest) && !part.decoderResult().isFailure()) {
            return; // the end of a request
        }
        if (isAnswering) {
            waiting.add(part);
        } else {
            answer(context, part);
        }
    }

    private void answer(ChannelHandlerContext context, HttpObject part) {
        isAnswering = true;
        if (part instanceof HttpRequest request && part.decoderResult().isSuccess()) {
            // No request has a body here, so a connection with one is closed.
            boolean keepAlive = HttpUtil.isKeepAlive(request) && !hasBody(request);
            CompletableFuture<HttpResponse> answer = answer(request);
            if (answer.isDone()) {
                send(context, request, answer, keepAlive);
            } else {
                answer.whenComplete(
                        (made, failure) -> context.executor().execute(() -> send(context, request, answer, keepAlive)));
            }
        } else {
            rejections.closed(context.channel().remoteAddress(), "it sent what is no HTTP request");
            send(
                    context,
                    HttpMethod.GET,
                    HttpResponse.text(HttpResponseStatus.BAD_REQUEST, "This is no HTTP request.\n"),
                    false);
        }
    }

    private void answerNext(ChannelHandlerContext context) {
        isAnswering = false;
        HttpObject next = waiting.poll();
        if (next == null) {
            context.read();
        } else {
            answer(context, next);
        }
    }

    private static boolean hasBody(HttpRequest request) {
        return HttpUtil.isTransferEncodingChunked(request) || HttpUtil.getContentLength(request, 0L) > 0;
    }

    private CompletableFuture<HttpResponse> answer(HttpRequest request) {
        if (!request.method().equals(HttpMethod.HEAD) && !request.method().equals(HttpMethod.GET)) {
            return CompletableFuture.completedFuture(
                    HttpResponse.text(HttpResponseStatus.METHOD_NOT_ALLOWED, "Only GET and HEAD are answered here.\n"));
        }
        String uri = request.uri();
        int query = uri.indexOf('?');
        Page page = pages.get(query < 0 ? uri : uri.substring(0, query));
        if (page == null) {
            return CompletableFuture.completedFuture(HttpResponse.text(
                    HttpResponseStatus.NOT_FOUND, "There are " + String.join(", ", pages.keySet()) + " here.\n"));
        }
        try {
            return page.make(Accepted.of(request.headers()));
        } catch (IOException | RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** @param answer which is completed */
    private void send(
            ChannelHandlerContext context,
            HttpRequest request,
            CompletableFuture<HttpResponse> answer,
            boolean keepAlive) {
        HttpResponse made;
        try {
            made = answer.join();
        } catch (CompletionException e) {
            LOG.error("a page cannot be made: path={}", request.uri(), e.getCause());
            made = HttpResponse.failed();
        }
        boolean isCounted = request.method().equals(HttpMethod.HEAD) || unsent.add(made.body().length);
        send(context, request.method(), isCounted ? made : HttpResponse.tooMuchUnsent(), keepAlive);
    }

    private void send(ChannelHandlerContext context, HttpMethod method, HttpResponse answer, boolean keepAlive) {
        boolean isHead = method.equals(HttpMethod.HEAD);
        FullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                answer.status(),
                isHead ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(answer.body()));
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, answer.contentType())
                .set(HttpHeaderNames.CONTENT_LENGTH, answer.body().length)
                .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
                .set("X-Content-Type-Options", "nosniff");
        if (answer.isCompressed()) {
            response.headers().set(HttpHeaderNames.CONTENT_ENCODING, HttpHeaderValues.GZIP);
        }
        if (answer.status().equals(HttpResponseStatus.METHOD_NOT_ALLOWED)) {
            response.headers().set(HttpHeaderNames.ALLOW, "GET, HEAD");
        }
        HttpUtil.setKeepAlive(response, keepAlive);
        int bytes = response.content().readableBytes();
        ChannelFuture written = context.writeAndFlush(response);
        written.addListener(ended -> unsent.remove(bytes));
        written.addListener(
                keepAlive
                        ? ended -> {
                            if (ended.isSuccess()) {
                                answerNext(context);
                            }
                        }
                        : ChannelFutureListener.CLOSE);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof IOException || cause instanceof TimeoutException) {
            LOG.debug(
                    "a reader of metrics is gone: remote={}", context.channel().remoteAddress(), cause);
        } else if (context.channel().isActive()) {
            rejections.failed(context.channel(), cause);
        }
        context.close();
    }
}
