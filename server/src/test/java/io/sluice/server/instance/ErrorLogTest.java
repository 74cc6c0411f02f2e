package io.sluice.server.instance;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.time.HandTime;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class ErrorLogTest {
    @Test
    void anInstanceThatHasFailedMayBeStartedAgainByItself() {
        ErrorLog errors = new ErrorLog(new HandTime());

        errors.addOfInstance("the delivery", new IOException("no login"));

        assertThat(errors.newest())
                .singleElement()
                .satisfies(item -> assertThat(item.remedy())
                        .isEqualTo(
                                "the delivery cannot continue: remove the cause, then start the instance again, or wait for its"
                                        + " next attempt if it has canal.instance.restart = backoff"));
    }
}
