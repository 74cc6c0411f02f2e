package io.sluice.mysql.binlog;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.List;
import java.util.function.Consumer;

class EventBodiesFuzzTest {
    private static final List<Consumer<EventBody>> DECODERS = List.of(
            FormatDescription::decode,
            RotateEvent::decode,
            QueryEvent::decode,
            GtidEvent::decode,
            GtidEvent::decodeTagged,
            PreviousGtidsEvent::decode,
            body -> HeartbeatEvent.decode(new EventHeader(0, EventCode.HEARTBEAT_V2, 1, 19, 0, 0), body),
            MariaDbGtidListEvent::decode,
            UserVarEvent::decode,
            TransactionPayload::decode,
            body -> TableMap.decode(body, FormatDescription.UNKNOWN),
            body -> EventHeader.read(body.array(), body.offset(), body.remaining()));

    @FuzzTest(maxDuration = "90s")
    void failOnlyWithMalformedEvent(byte[] anything) {
        for (Consumer<EventBody> decoder : DECODERS) {
            EventBody body = new EventBody(anything, 0, anything.length);
            try {
                decoder.accept(body);
                assertThat(body.remaining()).isBetween(0, anything.length);
            } catch (MalformedEventException e) {
                assertThat(e.getMessage()).isNotBlank();
            }
        }
    }
}
