package io.sluice.format.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

class TimeZoneOffsetsTest {
    private static final long WINTER = Instant.parse("2025-01-15T12:00:00Z").getEpochSecond();
    private static final long SUMMER = Instant.parse("2025-07-15T12:00:00Z").getEpochSecond();
    private static final long YEARS_BEFORE =
            Instant.parse("2014-07-15T12:00:00Z").getEpochSecond();

    @Test
    void rowsWithTimesOfSeveralSeasonsComputeNoneOfThemAgain() {
        TimeZoneOffsets offsets = new TimeZoneOffsets(ZoneId.of("Europe/Berlin"));
        TimeZoneOffsets.Span winter = offsets.span(WINTER);
        TimeZoneOffsets.Span summer = offsets.span(SUMMER);
        TimeZoneOffsets.Span before = offsets.span(YEARS_BEFORE);

        assertThat(offsets.span(WINTER)).isSameAs(winter);
        assertThat(offsets.span(SUMMER)).isSameAs(summer);
        assertThat(offsets.span(YEARS_BEFORE)).isSameAs(before);
        assertThat(offsets.offsetSeconds(WINTER)).isEqualTo(3600);
        assertThat(offsets.offsetSeconds(SUMMER)).isEqualTo(7200);
    }
}
