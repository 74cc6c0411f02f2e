package io.sluice.format.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TemporalTest {
    private final byte[] target = new byte[Temporal.ROOM];

    @ParameterizedTest
    @CsvSource({"0, 00:00:00", "99, 99:00:00", "100, 100:00:00", "101, 101:00:00", "838, 838:00:00"})
    void hoursHaveAsManyDigitsAsTheyNeed(int hours, String text) {
        assertThat(text(Temporal.putTime(target, 0, hours, 0, 0))).isEqualTo(text);
        assertThat(text(Temporal.putPackedTime(target, 0, (long) hours << 12))).isEqualTo(text);
    }

    @Test
    void everyDateAndTimeHasItsDigits() {
        for (int year = 0; year < 10_000; year += 7) {
            for (int month = 0; month <= 15; month++) {
                int day = (year + month) % 32;
                assertThat(text(Temporal.putDate(target, 0, year, month, day)))
                        .isEqualTo("%04d-%02d-%02d".formatted(year, month, day));
            }
        }
        for (int hour = 0; hour < 100; hour++) {
            for (int minute = 0; minute < 64; minute++) {
                int second = (hour + minute) % 64;
                assertThat(text(Temporal.putTime(target, 0, hour, minute, second)))
                        .isEqualTo("%02d:%02d:%02d".formatted(hour, minute, second));
            }
        }
    }

    /** As damaged rows may say. */
    @Test
    void impossibleDatesHaveTheLastDigits() {
        assertThat(text(Temporal.putDate(target, 0, 12_345, 101, 131))).isEqualTo("2345-01-31");
        assertThat(text(Temporal.putDate(target, 0, -1, -1, -1))).isEqualTo("9999-99-99");
        assertThat(text(Temporal.putTime(target, 0, 1_023, 100, -1))).isEqualTo("023:00:99");
    }

    @Test
    void packedDatesCountThirteenMonthsAYear() {
        for (int year = 0; year < 10_000; year += 3) {
            for (int month = 0; month < 13; month++) {
                long packed = ((year * 13L + month) << 5 | 17) << 17 | 23 << 12 | 59 << 6 | 58;
                assertThat(text(Temporal.putPackedDateTime(target, 0, packed)))
                        .isEqualTo("%04d-%02d-17 23:59:58".formatted(year, month));
            }
        }
    }

    private String text(int end) {
        return new String(target, 0, end, StandardCharsets.US_ASCII);
    }
}
