package io.sluice.connector.api.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

class BrokerPartitionsTest {
    /** A conversion that asks meanwhile waits for the answer to the same question. */
    @Test
    void aQuestionForWhichThereIsNoThreadFailsAndIsAskedAgain() {
        OutOfMemoryError noThread = new OutOfMemoryError("unable to create native thread");
        List<CompletableFuture<OptionalInt>> meanwhile = new ArrayList<>();
        BrokerPartitions[] partitions = new BrokerPartitions[1];
        Executor askers = task -> {
            if (meanwhile.isEmpty()) {
                meanwhile.add(partitions[0].ask("shop"));
                throw noThread;
            }
            task.run();
        };
        partitions[0] = new BrokerPartitions(topic -> OptionalInt.of(4), Duration.ofSeconds(30), askers, Time.SYSTEM);

        assertThatThrownBy(() -> partitions[0].ask("shop")).isSameAs(noThread);

        assertThat(meanwhile.get(0)).isCompletedExceptionally();
        assertThat(partitions[0].ask("shop")).isCompletedWithValue(OptionalInt.of(4));
    }
}
