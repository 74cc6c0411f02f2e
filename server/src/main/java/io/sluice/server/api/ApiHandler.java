package io.sluice.server.api;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.timeout.ReadTimeoutHandler;
import io.netty.handler.timeout.TimeoutException;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the calls of one connection, one after the other: authenticates the caller, finds the route and has a worker run its call. All fields belong
 * to the channel's event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails to be written or closed closes the channel
final class ApiHandler extends SimpleChannelInboundHandler<FullHttpRequest> {
    private static final Logger LOG = LoggerFactory.getLogger(ApiHandler.class);
    private static final int MAX_WAITING = 16;

    /** Of their bodies: two of the largest. */
    private static final int MAX_WAITING_BYTES = 128 * 1024;

    /** The interval of the checks whether the caller of a stream of events still may call. */
    private static final long CHECK_SECONDS = 5;

    private final ApiContext shared;
    private final Deque<FullHttpRequest> waiting = new ArrayDeque<>();
    private int waitingBytes;
    private boolean isAnswering;

    /** Whether the caller waits to be told that the body of its newest request may come. */
    private boolean isAsked;

    /** Whether the connection is closed, or will be after the present answer: no further requests are read. */
    private boolean isClosing;

    private boolean isKnown;

    /** Of the newest request; empty if it has none. */
    private String token = "";

    /** The name of the one that sent the newest request; empty until it is known. */
    private String callerName = "";

    private @Nullable Closeable events;

    ApiHandler(ApiContext shared) {
        this.shared = shared;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
        if (isClosing) {
            return;
        }
        isAsked = false; // its body has come
        if (isAnswering) {
            int bytes = request.content().readableBytes();
            if (waiting.size() < MAX_WAITING && waitingBytes + bytes <= MAX_WAITING_BYTES) {
                waiting.add(request.retain());
                waitingBytes += bytes;
                closeIfNeverAnswered(context);
            } else {
                close(context, "it sends requests without waiting for the answers");
            }
            return;
        }
        answer(context, request);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event != RequestBodies.Ask.EVENT) {
            context.fireUserEventTriggered(event);
        } else if (isAnswering) {
            isAsked = true;
        } else {
            context.writeAndFlush(ApiResponses.continueWithBody());
        }
    }

    /** The body of a request that is not read would come without end, since it is read past until the answer, and nothing is answered after events. */
    private void closeIfNeverAnswered(ChannelHandlerContext context) {
        if (events != null && waiting.peekLast() instanceof RequestBodies.Unread unread) {
            close(context, "a request after one for events is not read: " + unread.why());
        }
    }

    private void answer(ChannelHandlerContext context, FullHttpRequest request) {
        isAnswering = true;
        if (request instanceof RequestBodies.Unread unread) {
            shared.rejections().closed(context.channel().remoteAddress(), "its request is not read: " + unread.why());
            unread.answered(write(context, ApiResponses.problem(unread.status().code(), unread.why()), false));
            return;
        }
        if (request.decoderResult().isFailure()) {
            shared.rejections().closed(context.channel().remoteAddress(), "it sent what is no HTTP request");
            send(context, ApiResponses.problem(400, "this is no HTTP request"), false);
            return;
        }
        boolean keepAlive = HttpUtil.isKeepAlive(request);
        Channel channel = context.channel();
        token = Authentication.token(request);
        Optional<Caller> caller = shared.authentication().caller(channel, request);
        if (caller.isEmpty()) {
            send(context, shared.authentication().reject(channel, request), false);
            return;
        }
        callerName = caller.get().name();
        if (!isKnown && !isAdmitted(context)) {
            return;
        }
        isKnown = true;
        if (request.headers().contains(HttpHeaderNames.ORIGIN)) {
            send(context, ApiResponses.problem(403, "calls from pages of a browser are not answered"), false);
            return;
        }
        try {
            route(context, request, caller.get(), keepAlive);
        } catch (ApiException e) {
            send(context, ApiResponses.problem(e.status(), String.valueOf(e.getMessage())), keepAlive);
        } catch (IllegalArgumentException e) {
            send(context, ApiResponses.problem(400, "the path or the query is not encoded as URLs are"), keepAlive);
        }
    }

    /** Whether the caller, which was authenticated just now, may have the connection; else it is closed. */
    private boolean isAdmitted(ChannelHandlerContext context) {
        Channel channel = context.channel();
        String caller = callerName;
        if (!shared.connections().add(caller)) {
            String why = "%s has %d connections, and may have no more"
                    .formatted(caller, shared.connections().most());
            shared.rejections().closed(channel.remoteAddress(), why);
            send(context, ApiResponses.problem(429, why + ": close some"), false);
            return false;
        }
        channel.closeFuture().addListener(closed -> shared.connections().remove(caller));
        return shared.admission().authenticated(channel); // or it is being closed
    }

    private void route(ChannelHandlerContext context, FullHttpRequest request, Caller caller, boolean keepAlive) {
        QueryStringDecoder uri = new QueryStringDecoder(request.uri());
        String method = request.method().name();
        Optional<ControlRoutes.Match> match = shared.routes().find(method, uri.path());
        if (match.isPresent()) {
            Route route = match.get().route();
            shared.calls().requireRole(route, caller);
            start(
                    context,
                    route,
                    new ApiRequest(
                            caller,
                            match.get().variables(),
                            uri.parameters(),
                            JsonBody.of(request),
                            () -> !context.channel().isActive()),
                    keepAlive);
            return;
        }
        String allowed = String.join(", ", shared.routes().methodsOf(uri.path()));
        if (allowed.isEmpty()) {
            throw new ApiException(404, "there is no such path; /api/v1/openapi.json describes those that there are");
        }
        FullHttpResponse response = ApiResponses.problem(405, "only " + allowed + " is answered here");
        response.headers().set(HttpHeaderNames.ALLOW, allowed);
        send(context, response, keepAlive);
    }

    private void start(ChannelHandlerContext context, Route route, ApiRequest request, boolean keepAlive) {
        String caller = request.caller().name();
        if (!shared.running().add(caller)) {
            throw new ApiException(
                    429,
                    "%d calls of %s are being run, and no more may be: wait for their answers"
                            .formatted(shared.running().most(), caller));
        }
        allowSilence(context.pipeline()); // the call may take minutes
        try {
            shared.workers().execute(() -> {
                Runnable send;
                try {
                    send = run(context, route, request, keepAlive);
                } finally {
                    shared.running().remove(caller); // before the answer, after which the caller may send another call
                }
                reply(context, send);
            });
        } catch (RejectedExecutionException | OutOfMemoryError e) { // all are busy, or no thread can be started
            shared.running().remove(caller);
            send(
                    context,
                    ApiResponses.problem(503, "too much is going on, or the server is stopping: try again"),
                    keepAlive);
        }
    }

    /** Runs a call; what is returned sends the answer. */
    private Runnable run(ChannelHandlerContext context, Route route, ApiRequest request, boolean keepAlive) {
        try {
            ApiAnswer answer = shared.calls().run(route, request);
            ApiAnswer made = answer instanceof ApiAnswer.Json json ? ApiResponses.jsonContent(json.value()) : answer;
            return () -> send(context, made, keepAlive);
        } catch (RuntimeException | Error e) { // without an answer the connection would be of no use
            return () -> send(context, ApiResponses.problem(e, route), keepAlive);
        }
    }

    private static void reply(ChannelHandlerContext context, Runnable send) {
        try {
            context.executor().execute(() -> {
                try {
                    send.run();
                } catch (RuntimeException | Error e) {
                    LOG.error("an answer of the control API cannot be sent", e);
                    context.close();
                }
            });
        } catch (RejectedExecutionException e) {
            LOG.debug("the port is closed, an answer is not sent", e);
        }
    }

    private void send(ChannelHandlerContext context, ApiAnswer answer, boolean keepAlive) {
        if (answer instanceof ApiAnswer.Events stream) {
            begin(context, stream);
        } else if (answer instanceof ApiAnswer.Content content) {
            send(context, ApiResponses.content(content), keepAlive);
        } else {
            send(context, ApiResponses.json(((ApiAnswer.Json) answer).value()), keepAlive);
        }
    }

    private void send(ChannelHandlerContext context, FullHttpResponse response, boolean keepAlive) {
        write(context, response, keepAlive)
                .addListener(
                        keepAlive
                                ? sent -> {
                                    if (sent.isSuccess()) {
                                        answerNext(context);
                                    }
                                }
                                : ChannelFutureListener.CLOSE);
    }

    private ChannelFuture write(ChannelHandlerContext context, FullHttpResponse made, boolean keepAlive) {
        isClosing |= !keepAlive;
        FullHttpResponse response = made;
        String caller = callerName;
        if (!shared.unsent().add(caller, made.content().readableBytes())) {
            made.release();
            shared.rejections()
                    .refused(
                            context.channel().remoteAddress(),
                            caller,
                            shared.unsent().largest());
            response = ApiResponses.problem(
                    429, "too many large answers wait until their callers have read them: try again in a moment");
        }
        HttpUtil.setKeepAlive(response, keepAlive);
        int bytes = response.content().readableBytes();
        return context.writeAndFlush(response)
                .addListener(sent -> shared.unsent().remove(caller, bytes));
    }

    private void answerNext(ChannelHandlerContext context) {
        isAnswering = false;
        limitSilence(context.pipeline());
        FullHttpRequest next = waiting.poll();
        if (next == null && isAsked) {
            isAsked = false;
            context.writeAndFlush(ApiResponses.continueWithBody());
        }
        if (next != null) {
            waitingBytes -= next.content().readableBytes();
            try {
                answer(context, next);
            } finally {
                next.release();
            }
        }
    }

    /** Leaves a connection open while its caller waits, which is silent then. */
    private static void allowSilence(ChannelPipeline pipeline) {
        if (pipeline.get(ReadTimeoutHandler.class) != null) {
            pipeline.remove(ReadTimeoutHandler.class);
        }
    }

    /** Closes a connection whose caller is silent and waits for nothing. */
    private void limitSilence(ChannelPipeline pipeline) {
        if (pipeline.get(ReadTimeoutHandler.class) == null) {
            pipeline.addFirst(new ReadTimeoutHandler(ApiPort.SILENCE_SECONDS));
        }
    }

    /** Sends events until the caller goes; nothing else is answered on the connection then. */
    private void begin(ChannelHandlerContext context, ApiAnswer.Events stream) {
        Channel channel = context.channel();
        EventSink sink = new EventSink(channel, shared.unsent(), callerName);
        sink.begin();
        events = stream.source().begin(sink);
        Future<?> checks = context.executor()
                .scheduleWithFixedDelay(
                        () -> {
                            if (!token.isEmpty() && !shared.authentication().isAccepted(token, stream.role())) {
                                close(context, "its token was removed, or its role is too small for what it gets");
                            }
                        },
                        CHECK_SECONDS,
                        CHECK_SECONDS,
                        TimeUnit.SECONDS);
        channel.closeFuture().addListener(closed -> checks.cancel(false));
        if (!channel.isActive()) {
            end();
        }
        closeIfNeverAnswered(context);
    }

    private void end() {
        Closeable open = events;
        events = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                LOG.debug("a stream of events did not end in good order", e);
            }
        }
    }

    private void close(ChannelHandlerContext context, String why) {
        isClosing = true;
        shared.rejections().closed(context.channel().remoteAddress(), why);
        context.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        end();
        waiting.forEach(FullHttpRequest::release);
        waiting.clear();
        context.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof IOException || cause instanceof TimeoutException) {
            LOG.debug("a caller is gone: remote={}", context.channel().remoteAddress(), cause);
            context.close();
        } else if (context.channel().isActive()) {
            shared.rejections().failed(context.channel(), cause);
            context.close();
        }
    }
}
