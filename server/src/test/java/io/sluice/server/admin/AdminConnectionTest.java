package io.sluice.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.protocol.admin.PacketType;
import io.sluice.protocol.admin.ServerAdmin;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdminConnectionTest {
    private final ScriptedOperations operations = new ScriptedOperations("one", "two");
    private final Deque<Runnable> work = new ArrayDeque<>();

    private static byte[] check() {
        return AdminFuzzTest.frame(AdminFuzzTest.packet(
                        PacketType.SERVER,
                        ServerAdmin.newBuilder().setAction("check").build().toByteString())
                .toByteArray());
    }

    /** The second request is taken when the answer to the first has left, where what is thrown would only be logged. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aConnectionWhoseNextRequestNoWorkerTakesIsClosed(boolean isError) throws Exception {
        AtomicInteger tasks = new AtomicInteger();
        EmbeddedChannel channel = AdminFuzzTest.logIn(operations, task -> {
            if (tasks.incrementAndGet() == 1) {
                work.add(task);
            } else if (isError) {
                throw new OutOfMemoryError("unable to create native thread");
            } else {
                throw new RejectedExecutionException("the pool is shut down");
            }
        });
        AdminFuzzTest.feed(channel, check());
        AdminFuzzTest.feed(channel, check());
        assertThat(work).hasSize(1);

        work.remove().run();
        channel.runPendingTasks();

        assertThat(AdminFuzzTest.acks(channel)).hasSize(1);
        assertThat(channel.isActive()).isFalse();
        assertThat(tasks).hasValue(2);
        channel.finishAndReleaseAll();
    }

    @Test
    void requestsThatArriveWhileOneIsAnsweredAreAnsweredInTheirOrder() throws Exception {
        EmbeddedChannel channel = AdminFuzzTest.logIn(operations, work::add);
        for (int i = 0; i < 3; i++) {
            AdminFuzzTest.feed(channel, check());
        }

        for (int answered = 1; answered <= 3; answered++) {
            assertThat(work).hasSize(1);
            work.remove().run();
            channel.runPendingTasks();
            assertThat(AdminFuzzTest.acks(channel)).hasSize(1);
        }
        assertThat(work).isEmpty();
        assertThat(channel.isActive()).isTrue();
        channel.finishAndReleaseAll();
    }
}
