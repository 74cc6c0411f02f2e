package io.sluice.server.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.SourceServer;
import java.time.Instant;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeptPaceTest {
    private static final Instant SINCE = Instant.parse("2026-03-01T10:00:00.123Z");
    private static final BinlogPosition POSITION = new BinlogPosition("mysql-bin.000007", 1042);

    static Stream<KeptPace> all() {
        return Stream.of(
                KeptPace.NOTHING,
                new KeptPace("ops: \u7ef4\u62a4 = # \\ : !", SINCE, null, new RateLimits(5000, 10_000_000)),
                stoppingAt(new PauseTarget.Position(POSITION)),
                stoppingAt(new PauseTarget.Position(POSITION, new SourceServer("", 3306, ""))),
                stoppingAt(new PauseTarget.Position(POSITION, new SourceServer("db", 3306, "uuid"))),
                stoppingAt(new PauseTarget.Transactions(GtidSet.parse("3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5:7"))),
                stoppingAt(new PauseTarget.Transactions(GtidSet.parse("0-1-42"))),
                stoppingAt(new PauseTarget.Time(SINCE)));
    }

    private static KeptPace stoppingAt(@Nullable PauseTarget target) {
        return new KeptPace(null, null, target, RateLimits.NONE);
    }

    @ParameterizedTest
    @MethodSource("all")
    void isReadAsItWasWritten(KeptPace kept) {
        assertThat(KeptPace.parse(kept.text())).isEqualTo(kept);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "limit.rows=x\nlimit.bytes=0",
                "limit.rows=-1\nlimit.bytes=0",
                "limit.rows=0\nlimit.bytes=0\npaused.reason=x",
                "limit.rows=0\nlimit.bytes=0\nstop.time=yesterday",
                "limit.rows=0\nlimit.bytes=0\nstop.file=f\nstop.offset=\\u00",
                "limit.rows=0\nlimit.bytes=0\nstop.file=f\nstop.offset=4\nstop.source.host=db\nstop.source.port=4294970602",
                "{\"clientDatas\":[]}"
            })
    void anythingElseIsRejected(String text) {
        assertThatThrownBy(() -> KeptPace.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @FuzzTest
    void failsOnlyWithIllegalArgument(FuzzedDataProvider data) {
        String text = data.consumeRemainingAsString();
        KeptPace kept;
        try {
            kept = KeptPace.parse(text);
        } catch (IllegalArgumentException e) {
            assertThat(e.getMessage()).isNotBlank();
            return;
        }
        assertThat(KeptPace.parse(kept.text())).isEqualTo(kept);
    }

    @Test
    void aPauseIsNotNothing() {
        assertThat(KeptPace.NOTHING.isNothing()).isTrue();
        assertThat(new KeptPace("by ops", SINCE, null, RateLimits.NONE).isNothing())
                .isFalse();
    }
}
