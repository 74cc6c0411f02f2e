package io.sluice.format.value;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.sluice.mysql.binlog.MalformedEventException;
import io.sluice.protocol.bytes.ByteWriter;

class JsonDocumentFuzzTest {
    /** A real document is at most a few times as long as text; what overlaps must not grow without bound. */
    private static final int MAX_TEXT_PER_BYTE = 400;

    @FuzzTest(maxDuration = "90s")
    void failsOnlyWithMalformedEvent(byte[] anything) {
        ByteWriter out = new ByteWriter(64);
        try {
            new JsonDocument(anything, 0, anything.length, new JsonForm(false, false)).writeText(out);
        } catch (MalformedEventException e) {
            assertThat(e).hasMessageContaining("JSON");
        }
        assertThat(out.size()).isLessThanOrEqualTo(64 + anything.length * MAX_TEXT_PER_BYTE);
    }
}
