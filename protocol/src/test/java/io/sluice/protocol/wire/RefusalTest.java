package io.sluice.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RefusalTest {
    @Test
    void hasTheTextsOfCanal() {
        assertThat(Refusal.authFailed("canal")).isEqualTo("auth failed for user:canal");
        assertThat(Refusal.filterRefused("it ends within a group"))
                .isEqualTo("the filter is refused: it ends within a group");
        assertThat(Refusal.notSubscribed("example", 1001))
                .isEqualTo("ClientIdentity:ClientIdentity[destination=example,clientId=1001] should subscribe first");
    }

    @Test
    void isRecognizedInTheMessageOfAnError() {
        assertThat(Refusal.of(Refusal.authFailed("canal"))).contains(Refusal.AUTH_FAILED);
        assertThat(Refusal.of("auth failed for seed is null")).contains(Refusal.AUTH_FAILED);
        assertThat(Refusal.of(failed(Refusal.filterRefused("it is too long")))).contains(Refusal.FILTER_REFUSED);
        assertThat(Refusal.of(failed(Refusal.notSubscribed("example", 1)))).contains(Refusal.NOT_SUBSCRIBED);
    }

    @Test
    void isNotSeenInOtherErrors() {
        assertThat(Refusal.of("")).isEmpty();
        assertThat(Refusal.of(failed("destination:example should start first"))).isEmpty();
        assertThat(Refusal.of(failed("the upstream auth failed"))).isEmpty();
    }

    private static String failed(String why) {
        return "something goes wrong with channel: /127.0.0.1:1, exception: " + why;
    }
}
