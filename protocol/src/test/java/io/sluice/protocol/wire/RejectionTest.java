package io.sluice.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RejectionTest {
    @Test
    void hasTheTextsOfCanal() {
        assertThat(Rejection.authFailed("canal")).isEqualTo("auth failed for user:canal");
        assertThat(Rejection.filterRejected("it ends within a group"))
                .isEqualTo("the filter is refused: it ends within a group");
        assertThat(Rejection.notSubscribed("example", 1001))
                .isEqualTo("ClientIdentity:ClientIdentity[destination=example,clientId=1001] should subscribe first");
    }

    @Test
    void isRecognizedInTheMessageOfAnError() {
        assertThat(Rejection.of(Rejection.authFailed("canal"))).contains(Rejection.AUTH_FAILED);
        assertThat(Rejection.of("auth failed for seed is null")).contains(Rejection.AUTH_FAILED);
        assertThat(Rejection.of(failed(Rejection.filterRejected("it is too long"))))
                .contains(Rejection.FILTER_REJECTED);
        assertThat(Rejection.of(failed(Rejection.notSubscribed("example", 1)))).contains(Rejection.NOT_SUBSCRIBED);
    }

    @Test
    void isNotSeenInOtherErrors() {
        assertThat(Rejection.of("")).isEmpty();
        assertThat(Rejection.of(failed("destination:example should start first")))
                .isEmpty();
        assertThat(Rejection.of(failed("the upstream auth failed"))).isEmpty();
    }

    private static String failed(String why) {
        return "something goes wrong with channel: /127.0.0.1:1, exception: " + why;
    }
}
