package io.sluice.server.instance;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.time.HandTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LifecycleTest {
    private final List<Throwable> failures = new ArrayList<>();
    private final Lifecycle lifecycle =
            new Lifecycle("shop", new ErrorLog(new HandTime()), (instance, cause) -> failures.add(cause));

    /** The source may connect, or fail to, at the moment at which it is closed. */
    @Test
    void anInstanceThatIsBeingStoppedDoesNotRunAgain() {
        lifecycle.moveTo(InstanceState.RUNNING);
        lifecycle.moveTo(InstanceState.STOPPING);

        assertThat(lifecycle.moveTo(InstanceState.RETRYING)).isFalse();
        assertThat(lifecycle.moveTo(InstanceState.RUNNING)).isFalse();
        assertThat(lifecycle.state()).isEqualTo(InstanceState.STOPPING);

        assertThat(lifecycle.moveTo(InstanceState.STOPPED)).isTrue();
    }

    @Test
    void anInstanceMayFailWhileItIsBeingStopped() {
        lifecycle.moveTo(InstanceState.STOPPING);
        IllegalStateException cause = new IllegalStateException("the cursor cannot be written");

        lifecycle.fail("the cursor", cause);

        assertThat(lifecycle.state()).isEqualTo(InstanceState.FAILED);
        assertThat(failures).containsExactly(cause);
    }
}
