package io.sluice.server.destination;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.instance.DestinationState;
import io.sluice.testkit.time.HandTime;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DestinationStatesTest {
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final DestinationStates states = new DestinationStates(10, timer, Runnable::run, new HandTime());

    @AfterEach
    void close() {
        timer.shutdownNow();
    }

    private DestinationState add(String destination) {
        states.added(destination);
        PaceHome unused = states.paceHome(destination);
        return states.of(destination);
    }

    @Test
    void destinationsThatComeAndGoAreNotKeptForEver() {
        DestinationState there = add("there");
        for (int i = 0; i < 1000; i++) {
            add("gone-" + i);
            states.removed("gone-" + i);
        }

        assertThat(states.size()).isEqualTo(DestinationStates.MAX_REMOVED + 1);
        assertThat(states.of("there")).isSameAs(there);
    }

    @Test
    void oneThatIsRemovedAndAddedAgainIsTheSame() {
        DestinationState first = add("again");
        states.removed("again");
        assertThat(add("again")).isSameAs(first);
        for (int i = 0; i < 2 * DestinationStates.MAX_REMOVED; i++) {
            add("gone-" + i);
            states.removed("gone-" + i);
        }
        assertThat(states.of("again")).isSameAs(first);

        states.removed("again");
        for (int i = 0; i < DestinationStates.MAX_REMOVED; i++) {
            states.removed("gone-" + i);
        }
        assertThat(states.of("again")).isNotSameAs(first);
    }
}
