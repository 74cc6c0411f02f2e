package io.sluice.stream.source;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SearchedBytesTest {
    private final SearchedBytes searched = new SearchedBytes();

    @Test
    void whatAnAttemptReadsAgainIsNoProgress() {
        searched.beginAttempt();
        searched.add(60);
        searched.add(40);
        assertThat(searched.count()).isEqualTo(100);

        searched.beginAttempt();
        searched.add(90);
        assertThat(searched.count()).isEqualTo(100);
        searched.add(30);
        assertThat(searched.count()).isEqualTo(120);
        searched.add(5);
        assertThat(searched.count()).isEqualTo(125);
    }

    @Test
    void anAttemptThatHasLedToEventsMayBeRepeated() {
        searched.beginAttempt();
        searched.add(100);
        searched.onEvents();
        searched.add(10);
        assertThat(searched.count()).isEqualTo(110);

        searched.beginAttempt();
        searched.add(30);

        assertThat(searched.count()).isEqualTo(140);
    }
}
