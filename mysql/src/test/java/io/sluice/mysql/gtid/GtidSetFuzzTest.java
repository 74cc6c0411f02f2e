package io.sluice.mysql.gtid;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;

/** Whatever is given for a set is one that reads as it was written, in both forms, or is refused as documented. */
class GtidSetFuzzTest {
    @FuzzTest(maxDuration = "90s")
    void text(byte[] anything) {
        MySqlGtidSet set;
        try {
            set = MySqlGtidSet.parse(new String(anything, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageContaining("not a GTID set");
            return;
        }
        requireConsistent(set);
    }

    @FuzzTest(maxDuration = "90s")
    void bytes(byte[] anything) {
        MySqlGtidSet set;
        try {
            set = GtidSetBytes.decode(anything, 0, anything.length);
        } catch (IllegalArgumentException e) {
            assertThat(e.getMessage()).isNotBlank();
            return;
        }
        requireConsistent(set);
    }

    private static void requireConsistent(MySqlGtidSet set) {
        assertThat(MySqlGtidSet.parse(set.toString()))
                .isEqualTo(set); // whose text may have its sources in another order
        byte[] bytes = GtidSetBytes.encode(set);
        assertThat(GtidSetBytes.decode(bytes, 0, bytes.length)).isEqualTo(set);
        assertThat(set.containsAll(set)).isTrue();
        assertThat(set.subtract(set).isEmpty()).isTrue();
        assertThat(set.union(set)).isEqualTo(set);
    }
}
