package io.sluice.stream.golden;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The transactions of MariaDB with a begin, which canal does not give them. */
class MariaDbBeginsTest {
    static Stream<GoldenCase> cases() throws Exception {
        return GoldenCase.all(GoldenFileTest.MARIADB_SERVERS, List.of("04-", "05-ddl-create", "08-", "12-")).stream();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void matchTheRecordingWithoutBeginsExceptForTheBegins(GoldenCase golden) throws Exception {
        Properties settings = golden.settings();
        settings.setProperty("canal.instance.mariadb.transaction.begin", "true");

        List<Entry> with = GoldenRun.entries(golden, new GoldenSettings(settings), true);

        List<Entry> others = new ArrayList<>();
        boolean begun = false;
        for (Entry entry : with) {
            switch (entry.kind()) {
                case BEGIN -> begun = true;
                case ROWS ->
                    assertThat(begun).as("a begin before %s", entry.changeId()).isTrue();
                case END -> {
                    assertThat(begun).as("a begin before %s", entry.changeId()).isTrue();
                    begun = false;
                }
                default -> {}
            }
            if (entry.kind() != EntryKind.BEGIN) {
                others.add(entry);
            }
        }
        assertThat(GoldenRun.raw(others))
                .usingElementComparator(Arrays::compare)
                .isEqualTo(GoldenRun.raw(GoldenRun.entries(golden, true)));
    }
}
