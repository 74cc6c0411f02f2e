package io.sluice.admin.canal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.codec.LengthFieldPrepender;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.sluice.admin.problem.FailureKind;
import jakarta.annotation.PreDestroy;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.springframework.stereotype.Component;

/**
 * Asks management ports. Each call has a connection of its own, as those of canal's console; of these a few are open at a time, and the others wait
 * for their turn. Thread-safe.
 */
@Component
public class ManagementClient {
    private static final int MAX_CONNECTIONS = 32;
    /** The number of requests that may read the end of a log at the same time, whose answers are large. */
    private static final int MAX_LOGS = 4;

    private static final int MAX_WAITING = 1000;
    private static final int CONNECT_MILLIS = 3000;

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("fleet-canal", true), NioIoHandler.newFactory());
    private final CanalProperties properties;
    private final Turns looks = new Turns(MAX_CONNECTIONS);
    private final Turns logs = new Turns(MAX_LOGS);

    /** Requests of which so many are carried out at the same time; the others wait for their turn. */
    private static final class Turns {
        private final int most;

        @GuardedBy("this") private final Deque<Runnable> waiting = new ArrayDeque<>();

        @GuardedBy("this") private int open;

        Turns(int most) {
            this.most = most;
        }

        /** Begins a request, or has it wait; false if too many wait. */
        boolean begin(Runnable work) {
            synchronized (this) {
                if (open >= most) {
                    return waiting.size() < MAX_WAITING && waiting.add(work);
                }
                open++;
            }
            work.run();
            return true;
        }

        /** One is over, so that the next one can begin. */
        void ended() {
            Runnable next;
            synchronized (this) {
                next = waiting.poll();
                if (next == null) {
                    open--;
                }
            }
            if (next != null) {
                next.run();
            }
        }
    }

    ManagementClient(CanalProperties properties) {
        this.properties = properties;
    }

    /**
     * Logs in and asks, one request after the other.
     *
     * @param address was resolved and checked
     * @param timeout how long all answers may take, from the time that it is its turn
     * @return the texts of the answers; fails with {@link ManagementFailure}
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the result is what is returned
    public CompletableFuture<List<String>> ask(
            InetSocketAddress address, List<ManagementRequest> requests, Duration timeout) {
        CompletableFuture<List<String>> result = new CompletableFuture<>();
        int maxBytes = requests.stream()
                .mapToInt(ManagementRequest::maxAnswerBytes)
                .max()
                .orElse(0);
        Turns turns = requests.stream().anyMatch(ManagementRequest::isLog) ? logs : looks;
        boolean isTaken = turns.begin(() -> {
            result.whenComplete((answers, failure) -> turns.ended());
            connect(address, requests, maxBytes, timeout, result);
        });
        if (!isTaken) {
            result.completeExceptionally(new ManagementFailure(
                    FailureKind.UNREACHABLE, "too many requests to canal servers wait: try again"));
        }
        return result;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // what fails completes the result
    private void connect(
            InetSocketAddress address,
            List<ManagementRequest> requests,
            int maxBytes,
            Duration timeout,
            CompletableFuture<List<String>> result) {
        ChannelFuture connecting = new Bootstrap()
                .group(group)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(new LengthFieldBasedFrameDecoder(maxBytes, 0, Integer.BYTES, 0, Integer.BYTES))
                                .addLast(new LengthFieldPrepender(Integer.BYTES))
                                .addLast(new ManagementDialog(properties, requests, result));
                    }
                })
                .connect(address);
        connecting.addListener(done -> {
            if (!done.isSuccess()) {
                result.completeExceptionally(new ManagementFailure(
                        FailureKind.UNREACHABLE,
                        "the management port %s:%d cannot be connected to: does the server run, and is canal.admin.port open there?"
                                .formatted(address.getHostString(), address.getPort())));
            }
        });
        Future<?> limit = group.schedule(
                () -> result.completeExceptionally(new ManagementFailure(
                        FailureKind.UNREACHABLE,
                        "the management port %s:%d does not answer within %d seconds"
                                .formatted(address.getHostString(), address.getPort(), timeout.toSeconds()))),
                timeout.toMillis(),
                TimeUnit.MILLISECONDS);
        result.whenComplete((answers, failure) -> {
            limit.cancel(false);
            close(connecting.channel());
        });
    }

    @SuppressWarnings("FutureReturnValueIgnored") // what cannot be closed is closed already
    private static void close(Channel channel) {
        channel.close();
    }

    @PreDestroy
    @SuppressWarnings("FutureReturnValueIgnored") // the result is not needed
    void close() {
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
