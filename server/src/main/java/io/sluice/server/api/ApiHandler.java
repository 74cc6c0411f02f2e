package io.sluice.server.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.timeout.ReadTimeoutHandler;
import io.netty.handler.timeout.TimeoutException;
import io.sluice.server.config.ControlRole;
import io.sluice.server.control.Actor;
import io.sluice.server.control.AuditEntry;
import io.sluice.server.control.ControlRefusedException;
import io.sluice.server.control.UnknownDestinationException;
import io.sluice.server.port.Shown;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the calls of one connection, one after the other: finds out who calls and what is called, and has a worker do it. All fields belong
 * to the channel's event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails to be written or closed closes the channel
final class ApiHandler extends SimpleChannelInboundHandler<FullHttpRequest> {
    private static final Logger LOG = LoggerFactory.getLogger(ApiHandler.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String BEARER = "Bearer ";
    private static final String ON_BEHALF_OF = "X-Sluice-On-Behalf-Of";
    private static final int LONGEST_NAME = 100;
    private static final int MAX_WAITING = 16;

    /** How often it is looked whether the caller of a stream of events still may call. */
    private static final long CHECK_SECONDS = 5;

    private final ApiContext shared;
    private final Deque<FullHttpRequest> waiting = new ArrayDeque<>();
    private boolean isAnswering;
    private boolean isKnown;

    /** Of the newest request; empty if it has none. */
    private String token = "";

    private @Nullable Closeable events;

    ApiHandler(ApiContext shared) {
        this.shared = shared;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
        if (isAnswering) {
            if (waiting.size() < MAX_WAITING) {
                waiting.add(request.retain());
            } else {
                close(context, "it sends requests without waiting for the answers");
            }
            return;
        }
        answer(context, request);
    }

    private void answer(ChannelHandlerContext context, FullHttpRequest request) {
        isAnswering = true;
        if (request.decoderResult().isFailure()) {
            shared.refusals().closed(context.channel().remoteAddress(), "it sent what is no HTTP request");
            send(context, problem(400, "this is no HTTP request"), false);
            return;
        }
        boolean keepAlive = HttpUtil.isKeepAlive(request);
        String address = address(context.channel());
        Optional<Caller> caller = caller(context.channel(), request, address);
        if (caller.isEmpty()
                && !shared.throttle().waitOf(inetAddress(context.channel())).isZero()) {
            send(context, problem(429, "too many wrong tokens came from this address: try again in a minute"), false);
            return;
        }
        if (caller.isEmpty()) {
            boolean hasTried = request.headers().contains(HttpHeaderNames.AUTHORIZATION);
            if (hasTried) {
                shared.throttle().failed(inetAddress(context.channel()));
                shared.audit().record(new AuditEntry(Actor.of("", address), "login", "", "", "a wrong token", false));
            }
            FullHttpResponse response =
                    problem(401, "a valid token is needed: Authorization: Bearer, see sluice.sh token");
            response.headers().set(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer");
            send(context, response, false);
            return;
        }
        if (!isKnown && !shared.admission().authenticated(context.channel())) {
            return; // it is being closed
        }
        isKnown = true;
        if (request.headers().contains(HttpHeaderNames.ORIGIN)) {
            send(context, problem(403, "calls from pages of a browser are not answered"), false);
            return;
        }
        try {
            route(context, request, caller.get(), keepAlive);
        } catch (ApiException e) {
            send(context, problem(e.status(), String.valueOf(e.getMessage())), keepAlive);
        } catch (IllegalArgumentException e) {
            send(context, problem(400, "the path or the query is not encoded as URLs are"), keepAlive);
        }
    }

    private Optional<Caller> caller(Channel channel, FullHttpRequest request, String address) {
        String header = request.headers().get(HttpHeaderNames.AUTHORIZATION, "");
        token = "";
        if (header.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            token = header.substring(BEARER.length()).strip();
            return shared.access()
                    .find(token)
                    .map(token -> new Caller(token.name(), token.role(), address, onBehalfOf(request)));
        }
        if (!header.isEmpty()) {
            return Optional.empty();
        }
        return commonName(channel)
                .flatMap(name -> Optional.ofNullable(shared.certificates().get(name))
                        .flatMap(ControlRole::find)
                        .map(role -> new Caller(name, role, address, onBehalfOf(request))));
    }

    /** Whom the call is for, as the caller says it; percent-encoded, so that any name can be in a header. */
    private static String onBehalfOf(FullHttpRequest request) {
        String header = request.headers().get(ON_BEHALF_OF, "");
        String name;
        try {
            name = URLDecoder.decode(header, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            name = header;
        }
        String shown = Shown.text(name.strip());
        return shown.length() > LONGEST_NAME ? shown.substring(0, LONGEST_NAME) : shown;
    }

    /** The common name of the client's certificate, which was verified; empty if it has shown none. */
    private static Optional<String> commonName(Channel channel) {
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        if (tls == null) {
            return Optional.empty();
        }
        try {
            X500Principal subject = (X500Principal) tls.engine().getSession().getPeerPrincipal();
            return new LdapName(subject.getName())
                    .getRdns().stream()
                            .filter(part -> part.getType().equalsIgnoreCase("CN"))
                            .map(Rdn::getValue)
                            .map(String::valueOf)
                            .findFirst();
        } catch (SSLPeerUnverifiedException | InvalidNameException e) {
            return Optional.empty();
        }
    }

    private void route(ChannelHandlerContext context, FullHttpRequest request, Caller caller, boolean keepAlive) {
        QueryStringDecoder uri = new QueryStringDecoder(request.uri());
        TreeSet<String> allowed = new TreeSet<>();
        for (Route route : shared.routes()) {
            Map<String, String> path = route.match(uri.path());
            if (path != null && route.method().equals(request.method().name())) {
                if (!caller.role().mayDoWhatNeeds(route.role())) {
                    if (!route.action().isEmpty()) {
                        shared.audit()
                                .record(new AuditEntry(
                                        caller.actor(), route.action(), "", "", "the role is too small", false));
                    }
                    throw new ApiException(
                            403,
                            "%s has the role %s, and this needs %s"
                                    .formatted(
                                            caller.name(),
                                            caller.role().spelling(),
                                            route.role().spelling()));
                }
                start(context, route, new ApiRequest(caller, path, uri.parameters(), body(request)), keepAlive);
                return;
            }
            if (path != null) {
                allowed.add(route.method());
            }
        }
        if (allowed.isEmpty()) {
            throw new ApiException(404, "there is no such path; /api/v1/openapi.json describes those that there are");
        }
        FullHttpResponse response = problem(405, "only " + String.join(", ", allowed) + " is answered here");
        response.headers().set(HttpHeaderNames.ALLOW, String.join(", ", allowed));
        send(context, response, keepAlive);
    }

    private static ObjectNode body(FullHttpRequest request) {
        if (!request.content().isReadable()) {
            return JSON.createObjectNode();
        }
        String type = request.headers().get(HttpHeaderNames.CONTENT_TYPE, "");
        if (!HttpUtil.getMimeType(type.isEmpty() ? "none" : type).toString().equalsIgnoreCase("application/json")) {
            throw new ApiException(415, "the body must be JSON, with Content-Type: application/json");
        }
        try {
            JsonNode body = JSON.readTree(ByteBufUtil.getBytes(request.content()));
            if (body instanceof ObjectNode object) {
                return object;
            }
        } catch (IOException e) {
            throw ApiException.badRequest("the body is no JSON");
        }
        throw ApiException.badRequest("the body must be a JSON object");
    }

    private void start(ChannelHandlerContext context, Route route, ApiRequest request, boolean keepAlive) {
        try {
            shared.workers().execute(() -> {
                ApiAnswer answer;
                try {
                    answer = shared.calls().run(route, request);
                } catch (RuntimeException e) {
                    reply(context, () -> send(context, problemOf(e, route), keepAlive));
                    return;
                }
                reply(context, () -> send(context, answer, keepAlive));
            });
        } catch (RejectedExecutionException e) {
            send(context, problem(503, "too much is going on, or the server is stopping: try again"), keepAlive);
        }
    }

    private static void reply(ChannelHandlerContext context, Runnable send) {
        try {
            context.executor().execute(send);
        } catch (RejectedExecutionException e) {
            LOG.debug("the port is closed, an answer is not sent", e);
        }
    }

    private static FullHttpResponse problemOf(RuntimeException e, Route route) {
        if (e instanceof ApiException own) {
            return problem(own.status(), String.valueOf(e.getMessage()));
        }
        if (e instanceof UnknownDestinationException) {
            return problem(404, String.valueOf(e.getMessage()));
        }
        if (e instanceof ControlRefusedException) {
            return problem(409, String.valueOf(e.getMessage()));
        }
        LOG.error("a call of the control API failed: {} {}", route.method(), route.path(), e);
        return problem(500, "this should not have happened; the server's log has the reason");
    }

    private void send(ChannelHandlerContext context, ApiAnswer answer, boolean keepAlive) {
        if (answer instanceof ApiAnswer.Events stream) {
            begin(context, stream);
        } else if (answer instanceof ApiAnswer.Content content) {
            send(context, response(200, content.type(), content.text().getBytes(StandardCharsets.UTF_8)), keepAlive);
        } else {
            send(context, response(200, "application/json", bytes(((ApiAnswer.Json) answer).value())), keepAlive);
        }
    }

    private void send(ChannelHandlerContext context, FullHttpResponse response, boolean keepAlive) {
        HttpUtil.setKeepAlive(response, keepAlive);
        context.writeAndFlush(response)
                .addListener(
                        keepAlive
                                ? sent -> {
                                    if (sent.isSuccess()) {
                                        answerNext(context);
                                    }
                                }
                                : ChannelFutureListener.CLOSE);
    }

    private void answerNext(ChannelHandlerContext context) {
        isAnswering = false;
        FullHttpRequest next = waiting.poll();
        if (next != null) {
            try {
                answer(context, next);
            } finally {
                next.release();
            }
        }
    }

    /** Sends events until the caller goes; nothing else is answered on the connection then. */
    private void begin(ChannelHandlerContext context, ApiAnswer.Events stream) {
        Channel channel = context.channel();
        if (channel.pipeline().get(ReadTimeoutHandler.class) != null) {
            channel.pipeline().remove(ReadTimeoutHandler.class); // the caller is silent from here on
        }
        HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        head.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, "text/event-stream; charset=utf-8")
                .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
                .set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        context.writeAndFlush(head);
        events = stream.source().begin(new EventSink(channel));
        Future<?> checks = context.executor()
                .scheduleWithFixedDelay(
                        () -> {
                            if (!token.isEmpty() && shared.access().find(token).isEmpty()) {
                                close(context, "its token was removed");
                            }
                        },
                        CHECK_SECONDS,
                        CHECK_SECONDS,
                        TimeUnit.SECONDS);
        channel.closeFuture().addListener(closed -> checks.cancel(false));
        if (!channel.isActive()) {
            end();
        }
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

    private static byte[] bytes(JsonNode value) {
        try {
            return JSON.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a JSON value can be written", e);
        }
    }

    /** An error in the form of RFC 9457. */
    private static FullHttpResponse problem(int status, String detail) {
        ObjectNode problem = JSON.createObjectNode()
                .put("status", status)
                .put("title", HttpResponseStatus.valueOf(status).reasonPhrase())
                .put("detail", detail);
        return response(status, "application/problem+json", bytes(problem));
    }

    private static FullHttpResponse response(int status, String type, byte[] body) {
        FullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status), Unpooled.wrappedBuffer(body));
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, type)
                .set(HttpHeaderNames.CONTENT_LENGTH, body.length)
                .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
                .set("X-Content-Type-Options", "nosniff");
        return response;
    }

    private static InetAddress inetAddress(Channel channel) {
        return channel.remoteAddress() instanceof InetSocketAddress inet
                ? inet.getAddress()
                : InetAddress.getLoopbackAddress(); // it is closed
    }

    private static String address(Channel channel) {
        return channel.remoteAddress() instanceof InetSocketAddress inet
                ? inet.getAddress().getHostAddress()
                : String.valueOf(channel.remoteAddress());
    }

    private void close(ChannelHandlerContext context, String why) {
        shared.refusals().closed(context.channel().remoteAddress(), why);
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
            Throwable root = cause.getCause() == null ? cause : cause.getCause();
            close(context, String.valueOf(root.getMessage()));
        }
    }

    /** Writes events as text/event-stream has them. */
    private record EventSink(Channel channel) implements ApiAnswer.Sink {
        @Override
        public boolean send(String name, JsonNode data) {
            if (!isReady()) {
                return false;
            }
            channel.writeAndFlush(new DefaultHttpContent(text(name, data)));
            return true;
        }

        /** With the last chunk: a client that finds the connection closed without it discards what it has not read yet. */
        @Override
        public void end() {
            channel.writeAndFlush(new DefaultLastHttpContent(text("end", JSON.createObjectNode())))
                    .addListener(ChannelFutureListener.CLOSE);
        }

        private static ByteBuf text(String name, JsonNode data) {
            return Unpooled.wrappedBuffer(
                    ("event: " + name + "\ndata: " + data + "\n\n").getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public boolean isReady() {
            return channel.isActive() && channel.isWritable();
        }
    }
}
