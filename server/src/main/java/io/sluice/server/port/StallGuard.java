package io.sluice.server.port;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection whose client does not read an answer within the write timeout.
 *
 * <p>It checks once in a while, and closes when it sees the same answer twice with no byte less of it: after the limit at the
 * earliest, and twice that at the latest.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails to be written or closed closes the channel
public final class StallGuard extends ChannelOutboundHandlerAdapter {
    private final Duration limit;
    private final Runnable beforeClose;

    private long answers;
    private @Nullable Unsent lastSeen;
    private @Nullable Future<?> nextLook;

    /** What waits to be sent: which answer, and how much of it. */
    private record Unsent(long answers, long bytes, long progress) {}

    /**
     * Makes one for a connection.
     *
     * @param limit the write timeout
     * @param beforeClose runs before the connection is closed
     */
    public StallGuard(Duration limit, Runnable beforeClose) {
        this.limit = limit;
        this.beforeClose = beforeClose;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        nextLook = context.executor()
                .scheduleWithFixedDelay(() -> check(context), limit.toNanos(), limit.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        if (nextLook != null) {
            nextLook.cancel(false);
        }
    }

    @Override
    public void write(ChannelHandlerContext context, Object answer, ChannelPromise promise) {
        answers++;
        context.write(answer, promise);
    }

    private void check(ChannelHandlerContext context) {
        Channel channel = context.channel();
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        if (buffer == null || buffer.totalPendingWriteBytes() == 0) {
            lastSeen = null;
            return;
        }
        Unsent seen = new Unsent(answers, buffer.totalPendingWriteBytes(), buffer.currentProgress());
        if (seen.equals(lastSeen)) {
            beforeClose.run();
            context.close();
        }
        lastSeen = seen;
    }
}
