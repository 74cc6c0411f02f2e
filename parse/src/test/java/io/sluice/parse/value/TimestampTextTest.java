package io.sluice.parse.value;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.bytes.ByteWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
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
                "Africa/Casablanca"
            })
    void isTheLocalTimeOfTheZone(String zoneName) {
        ZoneId zone = ZoneId.of(zoneName);
        ColumnType type = TemporalForm.TIMESTAMP.type(0, new TimeZoneOffsets(zone));
        Random random = new Random(4);
        for (int i = 0; i < NUMBERS; i++) {
            int seconds = 1 + random.nextInt(Integer.MAX_VALUE);
            ByteWriter out = new ByteWriter(32);
            type.writeText(ByteBuffer.allocate(4).putInt(seconds).array(), 0, 4, out);
            assertThat(new String(out.array(), 0, out.size(), StandardCharsets.US_ASCII))
                    .isEqualTo(TEXT.format(Instant.ofEpochSecond(seconds).atZone(zone)));
        }
    }
}
