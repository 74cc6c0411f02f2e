package io.sluice.format.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.HexFormat;
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

    @ParameterizedTest
    @CsvSource({
        "YEAR, 0, 00, 0000",
        "YEAR, 0, 01, 1901",
        "YEAR, 0, ff, 2155",
        "DATETIME, 0, fef3ff7efb, 9999-12-31 23:59:59",
        "DATETIME, 5, 99b2bb7efa01e23a, 2024-02-29 23:59:58.12345",
        "DATETIME, 3, 99b2ba10830046, 2024-02-29 01:02:03.007",
        "DATETIME, 1, 99b2ba10835a, 2024-02-29 01:02:03.9",
        "TIME, 0, 4b9105, -838:59:59",
        "TIME, 2, 7fffffff, -00:00:00.01",
        "TIME, 3, 7fef7cf63c, -01:02:03.250",
        "TIME, 6, 7fef7cffffff, -01:02:03.000001",
        "TIME, 5, 80108300000a, 01:02:03.00001",
        "TIMESTAMP, 5, 38bb0bff01e23a, 2000-02-28 23:59:59.12345",
        "TIMESTAMP, 0, 38bb0c00, 2000-02-29 00:00:00",
        "TIMESTAMP, 0, 38bc5d7f, 2000-02-29 23:59:59",
        "TIMESTAMP, 0, 38bc5d80, 2000-03-01 00:00:00",
        "OLD_TIMESTAMP, 0, ff0bbb38, 2000-02-28 23:59:59",
        "OLD_DATETIME, 0, 1b0ba98b68120000, 2024-02-29 01:02:03",
        "OLD_TIME, 0, 590a80, -838:59:59",
    })
    void storedValuesAreRead(TemporalForm form, int digits, String hex, String text) {
        assertThat(text(form.type(digits, new TimeZoneOffsets(ZoneOffset.UTC)), hex))
                .isEqualTo(text);
    }

    /** As MariaDB stores those with a fraction where {@code mysql56_temporal_format} is off. */
    @ParameterizedTest
    @CsvSource({
        "TIME, 2, 1200c3c0, 00:00:00.00",
        "TIME, 1, 01cc4eed, -01:02:03.5",
        "DATETIME, 1, 00a976435ff3, 2024-12-31 23:59:58.7",
        "DATETIME, 6, 010294148e3d7b81, 2024-12-31 23:59:58.000001",
        "TIMESTAMP, 4, 38bb0bff04d2, 2000-02-28 23:59:59.1234",
        "TIMESTAMP, 6, 38bb0bff00000c, 2000-02-28 23:59:59.000012",
        "TIMESTAMP, 5, 38bb0bff003039, 2000-02-28 23:59:59.12345",
    })
    void storedValuesOfOldFormsWithAFractionAreRead(
            MariaDbTemporalType.Kind kind, int digits, String hex, String text) {
        assertThat(text(new MariaDbTemporalType(kind, digits, new TimeZoneOffsets(ZoneOffset.UTC)), hex))
                .isEqualTo(text);
    }

    private String text(ColumnType type, String hex) {
        byte[] image = HexFormat.of().parseHex(hex);
        assertThat(type.fixedLength()).isEqualTo(image.length);
        return text(type.put(image, 0, image.length, target, 0));
    }

    private String text(int end) {
        return new String(target, 0, end, StandardCharsets.US_ASCII);
    }
}
