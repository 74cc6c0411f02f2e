package io.sluice.admin.fleet.control;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.sluice.admin.address.AddressResolver;
import io.sluice.admin.problem.FailureKind;
import io.sluice.protocol.tls.KeyStoreFile;
import io.sluice.protocol.tls.KeyStores;
import jakarta.annotation.PreDestroy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.springframework.stereotype.Component;

/**
 * Calls control APIs. Two threads carry all connections, so a server that hangs holds up no other. Redirects are not followed, answers are
 * bounded, and a connection goes to the address that was checked. Thread-safe.
 */
@Component
public class ControlClient {
    private static final int THREADS = 2;
    private static final int CONNECT_MILLIS = 5000;
    private static final Duration OPENING = Duration.ofSeconds(10);
    private static final int MAX_EVENT_BYTES = 8 * 1024 * 1024;
    private static final int MAX_LINE = 4096;
    private static final int MAX_HEADERS = 16 * 1024;
    private static final int MAX_CHUNK = 64 * 1024;
    private static final int LONGEST_NAME = 200;

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(
            THREADS, new DefaultThreadFactory("fleet-control", true), NioIoHandler.newFactory());
    private final AddressResolver resolver;
    private final boolean isPlainAllowed;
    private final SslContext tls;
    /** Where Sluice servers answer, with the watches that have heard them. */
    private final Map<ControlUrl, Set<Object>> known = new ConcurrentHashMap<>();

    ControlClient(AddressResolver resolver, ControlProperties properties) throws IOException {
        this.resolver = resolver;
        this.isPlainAllowed = properties.allowPlainControl();
        SslContextBuilder builder = SslContextBuilder.forClient()
                .sslProvider(SslProvider.JDK)
                .protocols("TLSv1.3", "TLSv1.2")
                .endpointIdentificationAlgorithm("HTTPS");
        String trustStore = properties.trustStore();
        if (trustStore != null && !trustStore.isBlank()) {
            String password = properties.trustStorePassword();
            builder.trustManager(KeyStores.trusted(new KeyStoreFile("", trustStore, password == null ? "" : password)));
        }
        this.tls = builder.build();
    }

    /**
     * Notes that a Sluice server answers there, or no more. What is not known to be one is not quoted in errors. Of several that watch the
     * same server, each notes that for itself.
     *
     * @param watch the one that notes it
     * @param isSluice whether it has answered as one
     */
    public void recognize(ControlUrl url, Object watch, boolean isSluice) {
        known.compute(url, (key, watches) -> {
            Set<Object> now = watches == null ? ConcurrentHashMap.newKeySet() : watches;
            if (isSluice) {
                now.add(watch);
            } else {
                now.remove(watch);
            }
            return now.isEmpty() ? null : now;
        });
    }

    /** Whether a Sluice server is known to answer there. */
    public boolean isRecognized(ControlUrl url) {
        return known.containsKey(url);
    }

    /**
     * Calls a control API.
     *
     * @return its answer; fails with {@link ControlFailure}
     */
    @SuppressWarnings("FutureReturnValueIgnored") // what fails completes the result
    public CompletableFuture<ControlAnswer> call(ControlTarget target, ControlCall call) {
        CompletableFuture<ControlAnswer> result = new CompletableFuture<>();
        AnswerHandler handler = new AnswerHandler(target.url(), () -> isRecognized(target.url()), result);
        connect(target, handler, call.maxBytes()).whenComplete((channel, failure) -> {
            if (failure != null) {
                result.completeExceptionally(Failures.of(failure, target.url()));
                return;
            }
            result.whenComplete((answer, done) -> Channels.close(channel));
            send(channel, target, request(target, call));
        });
        Future<?> limit = group.schedule(
                () -> result.completeExceptionally(new ControlFailure(
                        FailureKind.UNREACHABLE,
                        0,
                        "%s does not answer within %d seconds; whether the call was carried out is not known"
                                .formatted(target, call.timeout().toSeconds()))),
                call.timeout().toMillis(),
                TimeUnit.MILLISECONDS);
        result.whenComplete((answer, done) -> limit.cancel(false));
        return result;
    }

    /**
     * Opens a stream of events.
     *
     * @param path encoded, with the query
     * @param onBehalfOf the user behind the call; blank: this server itself
     */
    @SuppressWarnings("FutureReturnValueIgnored") // what fails ends the stream
    public ControlStream open(ControlTarget target, String path, String onBehalfOf, ControlStream.Listener listener) {
        ControlStream stream = new ControlStream(listener);
        StreamHandler handler =
                new StreamHandler(target.url(), () -> isRecognized(target.url()), stream, MAX_EVENT_BYTES);
        ControlCall call = ControlCall.get(path).onBehalfOf(onBehalfOf);
        connect(target, handler, 0).whenComplete((channel, failure) -> {
            if (failure != null) {
                stream.end(Failures.of(failure, target.url()));
                return;
            }
            stream.attach(channel);
            FullHttpRequest request = request(target, call);
            request.headers().set(HttpHeaderNames.ACCEPT, "text/event-stream, application/problem+json");
            send(channel, target, request);
        });
        Future<?> limit = group.schedule(
                () -> {
                    if (!handler.isOpened()) {
                        stream.end(new ControlFailure(
                                FailureKind.UNREACHABLE,
                                0,
                                "%s does not answer within %d seconds: is the server overloaded?"
                                        .formatted(target, OPENING.toSeconds())));
                    }
                },
                OPENING.toMillis(),
                TimeUnit.MILLISECONDS);
        handler.whenOver(() -> limit.cancel(false));
        return stream;
    }

    private CompletableFuture<Channel> connect(ControlTarget target, ChannelHandler handler, int aggregatedBytes) {
        ControlUrl url = target.url();
        boolean onlyLoopback = !url.secure() && !isPlainAllowed;
        return resolver.resolve(url.host(), onlyLoopback)
                .thenCompose(address -> connect(url, address, handler, aggregatedBytes));
    }

    private CompletableFuture<Channel> connect(
            ControlUrl url, InetAddress address, ChannelHandler handler, int aggregatedBytes) {
        CompletableFuture<Channel> result = new CompletableFuture<>();
        ChannelFuture connecting = new Bootstrap()
                .group(group)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        if (url.secure()) {
                            SslHandler tlsHandler = tls.newHandler(channel.alloc(), url.host(), url.port());
                            tlsHandler.setHandshakeTimeoutMillis(CONNECT_MILLIS);
                            channel.pipeline().addLast(tlsHandler);
                        }
                        channel.pipeline().addLast(new HttpClientCodec(MAX_LINE, MAX_HEADERS, MAX_CHUNK));
                        if (aggregatedBytes > 0) {
                            channel.pipeline().addLast(new HttpObjectAggregator(aggregatedBytes));
                        }
                        channel.pipeline().addLast(handler);
                    }
                })
                .connect(new InetSocketAddress(address, url.port()));
        connecting.addListener(done -> {
            if (done.isSuccess()) {
                result.complete(connecting.channel());
            } else {
                result.completeExceptionally(done.cause());
            }
        });
        return result;
    }

    private static FullHttpRequest request(ControlTarget target, ControlCall call) {
        String body = call.body();
        ByteBuf content =
                body == null ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(body.getBytes(StandardCharsets.UTF_8));
        FullHttpRequest request = new DefaultFullHttpRequest(
                HttpVersion.HTTP_1_1, HttpMethod.valueOf(call.method()), call.path(), content);
        request.headers()
                .set(HttpHeaderNames.HOST, target.url().authority())
                .set(HttpHeaderNames.CONNECTION, "close")
                .set(HttpHeaderNames.ACCEPT, "application/json, text/plain, application/problem+json")
                .set(HttpHeaderNames.USER_AGENT, "sluice-admin");
        if (body != null) {
            request.headers().set(HttpHeaderNames.CONTENT_TYPE, "application/json");
        }
        if (body != null || !call.method().equals("GET")) {
            request.headers().set(HttpHeaderNames.CONTENT_LENGTH, content.readableBytes());
        }
        if (!target.token().isEmpty()) {
            request.headers().set(HttpHeaderNames.AUTHORIZATION, "Bearer " + target.token());
        }
        if (!call.onBehalfOf().isEmpty()) {
            request.headers().set("X-Sluice-On-Behalf-Of", headerText(call.onBehalfOf()));
        }
        return request;
    }

    /** Percent-encoded, so that any name can be in a header. */
    private static String headerText(String name) {
        String encoded = URLEncoder.encode(name, StandardCharsets.UTF_8);
        return encoded.length() > LONGEST_NAME ? encoded.substring(0, LONGEST_NAME) : encoded;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // what cannot be written closes the channel, which the handler hears
    private static void send(Channel channel, ControlTarget target, FullHttpRequest request) {
        channel.writeAndFlush(request).addListener(sent -> {
            if (!sent.isSuccess()) {
                channel.pipeline()
                        .fireExceptionCaught(
                                sent.cause() == null
                                        ? new IOException("nothing can be sent to " + target)
                                        : sent.cause());
            }
        });
    }

    @PreDestroy
    @SuppressWarnings("FutureReturnValueIgnored") // the result is not needed
    void close() {
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
