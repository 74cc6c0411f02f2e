package io.sluice.parse.value;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.bytes.ByteWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TemporalTest {
    @ParameterizedTest
    @CsvSource({"0, 00:00:00", "99, 99:00:00", "100, 100:00:00", "101, 101:00:00", "838, 838:00:00"})
    void hoursHaveAsManyDigitsAsTheyNeed(int hours, String text) {
        ByteWriter out = new ByteWriter(4);
        Temporal.writeTime(out, hours, 0, 0);

        ByteWriter packed = new ByteWriter(4);
        Temporal.writePackedTime(packed, (long) hours << 12);

        assertThat(new String(out.array(), 0, out.size(), StandardCharsets.US_ASCII))
                .isEqualTo(text)
                .isEqualTo(new String(packed.array(), 0, packed.size(), StandardCharsets.US_ASCII));
    }
}
