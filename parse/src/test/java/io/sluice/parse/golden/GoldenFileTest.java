package io.sluice.parse.golden;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.store.entry.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What recorded binlogs become, read from their files, is what a canal server made of them. */
class GoldenFileTest {
    static Stream<GoldenCase> cases() throws Exception {
        return GoldenCase.all(List.of("mysql-8.0.15", "mysql-8.0.31"), List.of("00", "01", "02", "03", "04", "09"))
                .stream();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void flatMessagesEqualTheRecord(GoldenCase golden) throws Exception {
        List<String> messages = new ArrayList<>();
        for (Entry entry : GoldenRun.entries(golden, false)) {
            ByteWriter out = new ByteWriter(256);
            if (entry.writeFlat(out, 1, 1)) {
                messages.add(GoldenCase.withoutRun(out.toByteArray()));
            }
        }
        assertSame(golden.flat(), messages);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void rawEntriesEqualTheRecord(GoldenCase golden) throws Exception {
        List<String> entries = new ArrayList<>();
        for (Entry entry : GoldenRun.entries(golden, true)) {
            entries.add(io.sluice.protocol.entry.Entry.parseFrom(GoldenRun.protobuf(entry))
                    .toString());
        }
        List<String> expected = new ArrayList<>();
        for (byte[] entry : golden.raw()) {
            expected.add(io.sluice.protocol.entry.Entry.parseFrom(entry).toString());
        }
        assertSame(expected, entries);
    }

    /** The first difference says more than both lists would. */
    private static void assertSame(List<String> expected, List<String> actual) {
        for (int i = 0; i < Math.min(expected.size(), actual.size()); i++) {
            assertThat(actual.get(i)).as("number %d", i).isEqualTo(expected.get(i));
        }
        assertThat(actual).hasSameSizeAs(expected);
    }
}
