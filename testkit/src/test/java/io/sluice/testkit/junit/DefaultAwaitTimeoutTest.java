package io.sluice.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.constraint.WaitConstraint;
import org.junit.jupiter.api.Test;

class DefaultAwaitTimeoutTest {
    /** Awaitility does not tell its default. */
    @Test
    void isSetBeforeTheFirstTest() throws ReflectiveOperationException {
        Field field = Awaitility.class.getDeclaredField("defaultWaitConstraint");
        field.setAccessible(true);
        assertThat(((WaitConstraint) field.get(null)).getMaxWaitTime()).isEqualTo(Duration.ofSeconds(60));
    }
}
