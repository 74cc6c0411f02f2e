package io.sluice.format.value;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.bytes.ByteWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimestampTextTest {
    private static final DateTimeFormatter TEXT = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss");
    private static final int NUMBERS = 20_000;

    /** Zones with seasons, with a half-hour shift, with many changes of law, and without any. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "UTC",
                "Europe/Berlin",
                "America/New_York",
                "Asia/Shanghai",
                "Australia/Lord_Howe",
                "Africa/Casablanca",
                "Africa/Monrovia"
            })
    void isTheLocalTimeOfTheZone(String zoneName) {
        ZoneId zone = ZoneId.of(zoneName);
        ColumnType type = TemporalForm.TIMESTAMP.type(0, new TimeZoneOffsets(zone));
        Random random = new Random(4);
        for (int i = 0; i < NUMBERS; i++) {
            int seconds = random.nextInt() | 1; // up to 2106, as MariaDB has them
            assertThat(text(type, seconds))
                    .isEqualTo(TEXT.format(Instant.ofEpochSecond(Integer.toUnsignedLong(seconds))
                            .atZone(zone)));
        }
    }

    /** To and fro over the borders, as a stream of old and new timestamps goes. */
    @ParameterizedTest
    @CsvSource({
        "Europe/Berlin, 2021-03-28T00:59:59Z, 2021-03-28 01:59:59, 2021-03-28 03:00:00",
        "Europe/Berlin, 2021-10-31T00:59:59Z, 2021-10-31 02:59:59, 2021-10-31 02:00:00",
        "Europe/Berlin, 1996-10-27T00:59:59Z, 1996-10-27 02:59:59, 1996-10-27 02:00:00",
        "Asia/Shanghai, 1991-09-14T16:59:59Z, 1991-09-15 01:59:59, 1991-09-15 01:00:00",
        "Australia/Lord_Howe, 2021-04-03T14:59:59Z, 2021-04-04 01:59:59, 2021-04-04 01:30:00",
        "Africa/Monrovia, 1972-01-07T00:44:29Z, 1972-01-06 23:59:59, 1972-01-07 00:44:30",
        "Pacific/Apia, 2011-12-30T09:59:59Z, 2011-12-29 23:59:59, 2011-12-31 00:00:00",
    })
    void jumpsWhereTheZoneDoes(String zone, Instant last, String before, String after) {
        ColumnType type = TemporalForm.TIMESTAMP.type(0, new TimeZoneOffsets(ZoneId.of(zone)));
        int second = (int) last.getEpochSecond();
        for (int round = 0; round < 3; round++) {
            assertThat(text(type, second)).isEqualTo(before);
            assertThat(text(type, second + 1)).isEqualTo(after);
        }
    }

    private static String text(ColumnType type, int seconds) {
        ByteWriter out = new ByteWriter(32);
        type.writeText(ByteBuffer.allocate(4).putInt(seconds).array(), 0, 4, out);
        return new String(out.array(), 0, out.size(), StandardCharsets.US_ASCII);
    }
}
