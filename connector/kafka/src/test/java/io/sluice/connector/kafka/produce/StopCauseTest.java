package io.sluice.connector.kafka.produce;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.connector.api.producer.Message;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StopCauseTest {
    private final LoopParts loop = new LoopParts();

    @AfterEach
    void close() {
        loop.close();
    }

    /** The broker that has them may have stored them, and another one rejects the login. */
    @Test
    void aRejectedLoginEndsTheLoopWhenWhatIsInFlightIsAnswered() {
        loop.state(List.of(1), Map.of(1, 1));
        loop.submitted.add(
                loop.writer.write(List.of(new Message("shop", 0, new byte[10])), loop.limits::limitOf),
                List.of(loop.noting("1")));
        loop.submitted.moveTo(loop.queues::add);
        PartitionQueue queue = loop.queues.of("shop", 0);
        Request request = loop.send(queue, LoopParts.BROKER, new Uuid(1, 1));
        loop.queues.noteSent(queue);
        assertThat(loop.queues.active()).isEmpty();
        SaslAuthenticationException rejected = new SaslAuthenticationException("wrong password");
        loop.cluster.metadata().fatalError(rejected);

        assertThat(loop.stop.endIfLoginIsRejected(loop.submitted)).isFalse();
        assertThat(loop.stop.isSet()).isFalse();

        loop.answer(request, Errors.NONE, 0);
        assertThat(loop.delivered).containsExactly("1");
        assertThat(loop.stop.endIfLoginIsRejected(loop.submitted)).isTrue();
        assertThat(loop.stop.cause()).isSameAs(rejected);
    }

    @Test
    void aLoginThatIsNotRejectedEndsNothing() {
        assertThat(loop.stop.endIfLoginIsRejected(loop.submitted)).isFalse();
        assertThat(loop.stop.isSet()).isFalse();
    }
}
