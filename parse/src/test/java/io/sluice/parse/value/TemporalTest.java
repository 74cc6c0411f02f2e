package io.sluice.parse.value;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.bytes.ByteWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
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

    @Test
    void everyDateAndTimeHasItsDigits() {
        for (int year = 0; year < 10_000; year += 7) {
            for (int month = 0; month <= 15; month++) {
                int day = (year + month) % 32;
                ByteWriter out = new ByteWriter(1);
                Temporal.writeDate(out, year, month, day);
                assertThat(text(out)).isEqualTo("%04d-%02d-%02d".formatted(year, month, day));
            }
        }
        for (int hour = 0; hour < 100; hour++) {
            for (int minute = 0; minute < 64; minute++) {
                int second = (hour + minute) % 64;
                ByteWriter out = new ByteWriter(1);
                Temporal.writeTime(out, hour, minute, second);
                assertThat(text(out)).isEqualTo("%02d:%02d:%02d".formatted(hour, minute, second));
            }
        }
    }

    /** As damaged rows may say. */
    @Test
    void impossibleDatesHaveTheLastDigits() {
        ByteWriter out = new ByteWriter(1);
        Temporal.writeDate(out, 12_345, 101, 131);
        Temporal.writeDate(out, -1, -1, -1);
        Temporal.writeTime(out, 1_023, 100, -1);
        assertThat(text(out)).isEqualTo("2345-01-31" + "9999-99-99" + "023:00:99");
    }

    @Test
    void packedDatesCountThirteenMonthsAYear() {
        for (int year = 0; year < 10_000; year += 3) {
            for (int month = 0; month < 13; month++) {
                long packed = ((year * 13L + month) << 5 | 17) << 17 | 23 << 12 | 59 << 6 | 58;
                ByteWriter out = new ByteWriter(1);
                Temporal.writePackedDateTime(out, packed);
                assertThat(text(out)).isEqualTo("%04d-%02d-17 23:59:58".formatted(year, month));
            }
        }
    }

    private static String text(ByteWriter out) {
        return new String(out.array(), 0, out.size(), StandardCharsets.US_ASCII);
    }
}
