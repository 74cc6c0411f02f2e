package io.sluice.mysql.binlog;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.sluice.protocol.bytes.ByteWriter;
import java.io.IOException;

class PayloadFuzzTest {
    /** A small input may unpack to very much. */
    private static final int MAX_EVENTS = 200;

    @FuzzTest(maxDuration = "90s")
    void endsInEventsOrMalformedEvent(byte[] anything) throws IOException {
        try (PayloadReader reader = new PayloadReader()) {
            reader.open(TransactionPayload.decode(new EventBody(anything, 0, anything.length)));
            ByteWriter out = new ByteWriter(64);
            int length = 0;
            for (int i = 0; i < MAX_EVENTS && length >= 0; i++) {
                out.clear();
                length = reader.next(out);
                assertThat(out.size()).isEqualTo(Math.max(0, length));
            }
        } catch (MalformedEventException e) {
            assertThat(e.getMessage()).isNotBlank();
        }
    }
}
