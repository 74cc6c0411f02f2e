package io.sluice.admin.fleet;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A control API as a Sluice server has it, with instances that a test determines. All of a test share one thread. */
@SuppressWarnings("FutureReturnValueIgnored") // what cannot be written or closed is closed already
public final class FakeSluice implements AutoCloseable {
    private static final EventLoopGroup GROUP = new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("fake-sluice", true), NioIoHandler.newFactory());

    private static final String NO_LIMITS = "{\"rowsPerSecond\":0,\"bytesPerSecond\":0}";
    private static final String INSTANCES = "/api/v1/instances/";

    private final String token;
    private final Channel server;
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final Set<Channel> connections = ConcurrentHashMap.newKeySet();
    private volatile List<String> instances;
    private volatile Consumer<String> onCall = call -> {};
    private volatile boolean isHanging;
    private volatile boolean isWithoutStreams;
    private volatile String rejected = "/pause";
    private volatile String state = "running";
    private volatile String paused = "";
    private volatile String limits = NO_LIMITS;
    private volatile String reload = "{\"changed\":true}";
    private volatile String configurationProblem = "null";
    private volatile String clusterProblem = "null";
    private volatile String restartKeys = "[]";
    private volatile int trialStatus = 404;
    private volatile String trial = "{\"status\":404,\"title\":\"x\",\"detail\":\"there is no such path\"}";

    /** Starts one of many, with so many instances whose names have its number. */
    public static FakeSluice numbered(String token, int number, int instances) {
        return new FakeSluice(
                token,
                IntStream.range(0, instances)
                        .mapToObj(one -> "instance-%02d-%02d".formatted(number, one))
                        .toArray(String[]::new));
    }

    /** Starts one. */
    public FakeSluice(String token, String... instances) {
        this.token = token;
        this.instances = List.of(instances);
        this.server = new ServerBootstrap()
                .group(GROUP)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        connections.add(channel);
                        channel.pipeline()
                                .addLast(new HttpServerCodec())
                                .addLast(new HttpObjectAggregator(1 << 20))
                                .addLast(new Handler());
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), 0)
                .syncUninterruptibly()
                .channel();
    }

    public String url() {
        return "http://127.0.0.1:" + ((InetSocketAddress) server.localAddress()).getPort();
    }

    /** What it was called, without queries of the state. */
    public List<String> calls() {
        return calls;
    }

    /** Calls this for each call, without queries of the state, before it is answered. */
    public void onCall(Consumer<String> listener) {
        onCall = listener;
    }

    /** Says nothing any more, and keeps the connections. */
    public void hang() {
        isHanging = true;
    }

    /** Ends the streams of its state, and opens none any more; other calls are answered. */
    public void endStreams() {
        isWithoutStreams = true;
        connections.forEach(Channel::close);
    }

    /** Rejects calls whose path ends so. */
    public void reject(String end) {
        rejected = end;
    }

    public void instances(String... names) {
        instances = List.of(names);
    }

    /** Has its instances run elsewhere in a cluster. */
    public void leavesItToOthers() {
        state = "not_here";
    }

    /** Has its instances be stopped, which lasts. */
    public void stopsThem() {
        state = "stopping";
    }

    /** Has stopped its instances. */
    public void hasStoppedThem() {
        state = "stopped";
    }

    /** Has one of its instances be paused. */
    public void pauses(String instance) {
        paused = instance;
    }

    /** The limits that it reports of its instances, as JSON. */
    public void limits(String json) {
        limits = json;
    }

    /** What it answers when it is to try a configuration; an older server knows no such path. */
    public void trial(int status, String body) {
        trialStatus = status;
        trial = body;
    }

    /** What it answers when it is to read its configuration. */
    public void reload(String body) {
        reload = body;
    }

    /** What it reports of the configuration that it has read last; null: it is in force. */
    public void configurationProblem(@Nullable String problem) {
        configurationProblem = problem == null ? "null" : '"' + problem + '"';
    }

    /** What it reports to be wrong with it in its cluster; null: nothing. */
    public void clusterProblem(@Nullable String problem) {
        clusterProblem = problem == null ? "null" : '"' + problem + '"';
    }

    /** The keys that it reports to wait for a restart, as a JSON array. */
    public void restartKeys(String keys) {
        restartKeys = keys;
    }

    /** How many streams of its state are open. */
    public long connections() {
        return connections.stream().filter(Channel::isActive).count();
    }

    static String report(String name) {
        return """
                {"destination":"%s","state":"running","healthy":true,"paused":false,"pauseReason":null,"pausedSince":null,"paceKept":"cluster",\
                "pauseAt":null,"limits":{"rowsPerSecond":0,"bytesPerSecond":0},"throughput":{"rowsPerSecond":7,"bytesPerSecond":70},\
                "source":{"lagBytes":0,"lagSeconds":1,"newestEvent":null,"receivedBytes":1},"deliveryDelaySeconds":0,\
                "store":{"entries":0,"bytes":0,"capacityEntries":16384,"capacityBytes":16777216,"deliveredRows":9},\
                "sender":{"state":"running","batchesInFlight":0,"deliveredMessages":9,"deliveredBytes":90,"failures":0},\
                "configurationProblem":null,"retryAt":null}""".formatted(name);
    }

    private String state() {
        return "["
                + String.join(
                        ",",
                        instances.stream()
                                .map(name -> report(name)
                                        .replace(
                                                "\"state\":\"running\",\"healthy\"",
                                                "\"state\":\"%s\",\"healthy\"".formatted(state))
                                        .replace(NO_LIMITS, limits)
                                        .replace("\"paused\":false", "\"paused\":" + name.equals(paused)))
                                .toList())
                + "]";
    }

    @Override
    public void close() {
        server.close().syncUninterruptibly();
        connections.forEach(Channel::close);
    }

    private final class Handler extends SimpleChannelInboundHandler<FullHttpRequest> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
            if (isHanging) {
                return;
            }
            String path = request.uri();
            if (!request.headers().get(HttpHeaderNames.AUTHORIZATION, "").equals("Bearer " + token)) {
                answer(
                        context,
                        401,
                        "application/problem+json",
                        "{\"status\":401,\"title\":\"x\",\"detail\":\"a secret of mine\"}");
            } else if (path.startsWith("/api/v1/events")) {
                if (isWithoutStreams) {
                    answer(context, 503, "application/problem+json", "{\"status\":503,\"title\":\"x\"}");
                } else {
                    begin(context);
                }
            } else {
                String call = request.method() + " " + path + " "
                        + request.headers().get("X-Sluice-On-Behalf-Of", "-") + " "
                        + request.content().toString(StandardCharsets.UTF_8);
                calls.add(call);
                onCall.accept(call);
                call(context, path);
            }
        }

        private void call(ChannelHandlerContext context, String path) {
            if (path.equals("/api/v1/server")) {
                answer(
                        context,
                        200,
                        "application/json",
                        "{\"version\":\"9.9\",\"destinations\":[\"a\"],\"configurationProblem\":" + configurationProblem
                                + ",\"clusterProblem\":" + clusterProblem + ",\"restartKeys\":" + restartKeys + "}");
            } else if (path.endsWith("/errors")) {
                answer(context, 200, "application/json", """
                        [{"time":"2026-03-01T10:00:00Z","times":2,"part":"source","kind":"denied","message":"no","remedy":"grant"}]""");
            } else if (path.endsWith(rejected)) {
                answer(
                        context,
                        409,
                        "application/problem+json",
                        "{\"status\":409,\"title\":\"x\",\"detail\":\"it is behind that\"}");
            } else if (path.startsWith("/api/v1/config/")) {
                answer(
                        context,
                        trialStatus,
                        trialStatus == 200 ? "application/json" : "application/problem+json",
                        trial);
            } else if (path.startsWith(INSTANCES)
                    && path.indexOf('/', INSTANCES.length()) < 0
                    && !instances.contains(path.substring(INSTANCES.length()))) {
                answer(
                        context,
                        404,
                        "application/problem+json",
                        "{\"status\":404,\"title\":\"x\",\"detail\":\"there is no such instance\"}");
            } else if (path.equals("/api/v1/reload")) {
                answer(context, 200, "application/json", reload);
            } else if (path.contains("/log")) {
                answer(context, 200, "text/plain", "one\ntwo\n");
            } else {
                answer(
                        context,
                        200,
                        "application/json",
                        "{\"changed\":true,\"lines\":[\"a line\"],\"restartKeys\":" + restartKeys + "}");
            }
        }

        private void begin(ChannelHandlerContext context) {
            DefaultHttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
            head.headers().set("Content-Type", "text/event-stream").set("Transfer-Encoding", "chunked");
            context.writeAndFlush(head);
            context.executor()
                    .scheduleWithFixedDelay(
                            () -> {
                                if (!isHanging && context.channel().isActive()) {
                                    byte[] event = ("event: instances\ndata: " + state() + "\n\n")
                                            .getBytes(StandardCharsets.UTF_8);
                                    context.writeAndFlush(new DefaultHttpContent(Unpooled.wrappedBuffer(event)));
                                }
                            },
                            0,
                            1,
                            TimeUnit.SECONDS);
        }

        private void answer(ChannelHandlerContext context, int status, String type, String body) {
            DefaultFullHttpResponse response = new DefaultFullHttpResponse(
                    HttpVersion.HTTP_1_1,
                    HttpResponseStatus.valueOf(status),
                    Unpooled.wrappedBuffer(body.getBytes(StandardCharsets.UTF_8)));
            response.headers()
                    .set("Content-Type", type)
                    .set("Content-Length", response.content().readableBytes());
            context.writeAndFlush(response);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }
}
