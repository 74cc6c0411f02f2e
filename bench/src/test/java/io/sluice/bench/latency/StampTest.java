package io.sluice.bench.latency;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StampTest {
    @ParameterizedTest
    @ValueSource(longs = {0, 7, 1_234_567, 9_999_999_999L})
    void aStampIsFound(long number) {
        assertThat(foundIn(Stamp.of(number))).containsExactly(number);
        assertThat(foundIn("\"reference\":\"" + Stamp.of(number) + "\",##t#tx-12" + Stamp.of(3) + Stamp.of(4)))
                .containsExactly(number, 3L, 4L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "#tx-", "#tx-000000000", "#tx-00000000x0", "#tx#000000000", "tx-0000000000"})
    void otherTextIsNotFound(String text) {
        assertThat(foundIn(text)).isEmpty();
    }

    private static List<Long> foundIn(String text) {
        List<Long> found = new ArrayList<>();
        Stamp.findAll(text.getBytes(StandardCharsets.US_ASCII), found::add);
        return found;
    }
}
