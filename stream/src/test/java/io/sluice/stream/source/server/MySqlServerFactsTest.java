package io.sluice.stream.source.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MySqlServerFactsTest {
    /** Appliers of a replica own GTIDs before anything of them is in its binlog. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                                                                                | ''",
                "323b686a-e4de-11f1-8f50-02fc00000001:23#9                                         | 323b686a-e4de-11f1-8f50-02fc00000001:23",
                "323b686a-e4de-11f1-8f50-02fc00000001:23#9:24#10                                   | 323b686a-e4de-11f1-8f50-02fc00000001:23-24",
                "11111111-1111-1111-1111-111111111111:4#7,323B686A-E4DE-11F1-8F50-02FC00000001:9#8 | 323b686a-e4de-11f1-8f50-02fc00000001:9",
                "11111111-1111-1111-1111-111111111111:4#7                                          | ''"
            })
    void onlyItsOwnTransactionsAreCommitting(String owned, String committing) {
        assertThat(MySqlServerFacts.committing(owned, "323b686a-e4de-11f1-8f50-02fc00000001"))
                .hasToString(committing);
    }
}
