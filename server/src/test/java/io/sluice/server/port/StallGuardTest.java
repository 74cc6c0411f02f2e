package io.sluice.server.port;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StallGuardTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final AtomicInteger closes = new AtomicInteger();
    private EmbeddedChannel channel;

    @BeforeEach
    void open() {
        channel = new EmbeddedChannel();
        channel.freezeTime();
        channel.pipeline().addLast(new StallGuard(LIMIT, closes::incrementAndGet));
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    @Test
    void aConnectionIsClosedWhenTwoChecksFindTheSameAnswer() {
        writeWithoutSending();

        pass(LIMIT);
        assertThat(channel.isOpen()).isTrue();
        pass(LIMIT);

        assertThat(channel.isOpen()).isFalse();
        assertThat(closes).hasValue(1);
    }

    /** The client could not read anything in the pause either, as the process did not run. */
    @Test
    void afterALongPauseOfTheProcessItIsCheckedAtOnceAndThenAfterTheLimit() {
        writeWithoutSending();

        pass(LIMIT.multipliedBy(5));
        assertThat(channel.isOpen()).isTrue();
        pass(LIMIT);

        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void aNewAnswerIsAnotherOne() {
        for (int i = 0; i < 5; i++) {
            writeWithoutSending();
            pass(LIMIT);
        }

        assertThat(channel.isOpen()).isTrue();
        assertThat(closes).hasValue(0);
    }

    private void writeWithoutSending() {
        ChannelFuture unused = channel.write(Unpooled.wrappedBuffer(new byte[100]));
    }

    private void pass(Duration time) {
        channel.advanceTimeBy(time.toNanos(), TimeUnit.NANOSECONDS);
        channel.runScheduledPendingTasks();
    }
}
