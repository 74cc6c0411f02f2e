package io.sluice.format.value;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.sluice.mysql.binlog.MalformedEventException;
import io.sluice.protocol.bytes.ByteWriter;

/** An input is the length of a document in one byte, the document, and differences to it. */
class JsonDifferencesFuzzTest {
    private static final int PREFIX = 4;
    private static final int MAX_TEXT_PER_BYTE = 400;

    @FuzzTest(maxDuration = "90s")
    void failOnlyWithMalformedEvent(byte[] anything) {
        if (anything.length == 0) {
            return;
        }
        int before = Math.min(anything[0] & 0xFF, anything.length - 1);
        byte[] image = new byte[2 * PREFIX + anything.length - 1];
        System.arraycopy(anything, 1, image, PREFIX, before);
        int at = PREFIX + before;
        System.arraycopy(anything, 1 + before, image, at + PREFIX, anything.length - 1 - before);
        JsonDifferences differences = new JsonDifferences(PREFIX, new JsonForm(false, false));
        for (PartialJson form : PartialJson.values()) {
            ByteWriter out = new ByteWriter(64);
            try {
                differences.writeText(image, 0, at, at, image.length - at, "j", form, out);
            } catch (MalformedEventException e) {
                assertThat(e.getMessage()).isNotBlank();
            }
            assertThat(out.size()).isLessThanOrEqualTo(64 + anything.length * MAX_TEXT_PER_BYTE);
        }
    }
}
