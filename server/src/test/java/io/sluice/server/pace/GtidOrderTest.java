package io.sluice.server.pace;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GtidOrderTest {
    private static final String ONE = "3e11fa47-71ca-11e1-9e33-c80aa9429562";
    private static final String TWO = "4f22fa47-71ca-11e1-9e33-c80aa9429562";

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            58 | 57        | true
            57 | 57        | false
            50 | 57        | false
            58 | 1-57      | true
            56 | 1-50:55-57 | false
            58 | 1-50:55-57 | true
            """)
    void tellsByTheNumbersOfOneServer(String number, String intervals, boolean isAfter) {
        assertThat(GtidOrder.isAfter(ONE + ":" + number, ONE + ":" + intervals)).isEqualTo(isAfter);
        assertThat(GtidOrder.isAfter(ONE + ":tag:" + number, ONE + ":tag:" + intervals))
                .isEqualTo(isAfter);
    }

    @ParameterizedTest
    @CsvSource({"0-1-58,0-1-57,true", "0-2-58,0-1-57,true", "0-1-57,0-1-57,false", "1-1-58,0-1-57,false"})
    void tellsByTheNumbersOfADomain(String gtid, String set, boolean isAfter) {
        assertThat(GtidOrder.isAfter(gtid, set)).isEqualTo(isAfter);
    }

    @ParameterizedTest
    @CsvSource({ONE + ":99," + TWO + ":1-57", ONE + ":99," + ONE + ":tag:1-57", ONE + ":tag:99," + ONE + ":1-57"})
    void cannotTellOfOthers(String gtid, String set) {
        assertThat(GtidOrder.isAfter(gtid, set)).isFalse();
        assertThat(GtidOrder.isAfter(gtid, set + "," + ONE + ":1-5")).isFalse();
    }
}
