package io.sluice.mysql.gtid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MariaDbGtidSetTest {
    /** A set that a user sends may have as many domains as fit in it. */
    @Test
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aSetOfManyDomainsIsReadInTimeInProportionToItsLength() {
        List<MariaDbGtid> gtids = IntStream.range(0, 500_000)
                .mapToObj(domain -> MariaDbGtid.parse(domain + "-1-1"))
                .toList();
        String text = gtids.stream().map(MariaDbGtid::toString).collect(Collectors.joining(","));

        MariaDbGtidSet set = MariaDbGtidSet.parse(text);

        assertThat(set).isEqualTo(MariaDbGtidSet.of(gtids));
        assertThat(set.toString()).isEqualTo(text);
    }

    @Test
    void ofTwoOfOneDomainTheLaterOneCounts() {
        assertThat(MariaDbGtidSet.of(
                        List.of(MariaDbGtid.parse("3-1-9"), MariaDbGtid.parse("0-1-5"), MariaDbGtid.parse("3-2-4"))))
                .hasToString("0-1-5,3-2-4");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0-1-3        | 0-1-4   | 0-1-4",
                "0-1-3        | 7-1-1   | 0-1-3,7-1-1",
                "7-1-1, 0-1-3 | 0-9-500 | 0-9-500,7-1-1",
                "''           | 5-6-7   | 5-6-7",
                "0-1-3        | 0-1-18446744073709551615 | 0-1-18446744073709551615",
            })
    void keepsTheNewestOfEveryDomain(String before, String added, String after) {
        MariaDbGtidSet set = MariaDbGtidSet.parse(before);

        assertThat(set.plus(MariaDbGtid.parse(added))).hasToString(after).isEqualTo(MariaDbGtidSet.parse(after));
    }

    @ParameterizedTest
    @CsvSource({
        "0-1-5, true",
        "0-2-5, true",
        "0-1-4, true",
        "0-1-6, false",
        "1-1-1, false",
        "0-1-18446744073709551615, false"
    })
    void containsWhatCameBeforeTheNewest(String gtid, boolean contained) {
        MariaDbGtidSet set = MariaDbGtidSet.parse("0-1-5,3-1-9");

        assertThat(set.contains(MariaDbGtid.parse(gtid))).isEqualTo(contained);
        assertThat(set.containsAll(MariaDbGtidSet.parse(gtid))).isEqualTo(contained);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0-1-5,3-1-9 | 0-1-5,3-1-9 | ''          | 0-1-5,3-1-9",
                "0-1-5,3-1-9 | 0-2-7       | 3-1-9       | 0-1-5",
                "0-1-5,3-1-9 | 3-1-8       | 0-1-5,3-1-9 | 3-1-9",
                "0-1-5,3-1-9 | ''          | 0-1-5,3-1-9 | ''",
            })
    void differsByDomain(String text, String other, String missing, String inItsDomains) {
        MariaDbGtidSet set = MariaDbGtidSet.parse(text);

        assertThat(set.subtract(MariaDbGtidSet.parse(other))).hasToString(missing);
        assertThat(set.inDomainsOf(MariaDbGtidSet.parse(other))).hasToString(inItsDomains);
    }

    /** Two servers may number in one domain on their own. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0-1-900,3-1-9 | 0-1-900,0-2-52,3-1-9 | ''",
                "0-1-900       | 0-1-899,0-2-950      | 0-1-900",
                "0-1-900       | 1-1-900              | 0-1-900",
                "0-1-5         | ''                   | 0-1-5",
            })
    void differsByServer(String text, String newestOfServers, String missing) {
        List<MariaDbGtid> newest = Arrays.stream(newestOfServers.split(","))
                .filter(gtid -> !gtid.isEmpty())
                .map(MariaDbGtid::parse)
                .toList();

        MariaDbGtidSet set = MariaDbGtidSet.parse(text);
        assertThat(set.subtract(newest)).hasToString(missing);
        assertThat(set.among(newest)).isEqualTo(set.withoutEqual(set.subtract(newest)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0-1-900,3-1-9 | 0-1-4,3-1-10 | true",
                "0-1-900       | 3-2-1        | true",
                "0-1-900       | ''           | true",
                "0-1-900,3-1-9 | 0-1-900,3-2-9 | false",
            })
    void numbersTellTheOrderOfTransactionsOfOneServer(String one, String other, boolean isOrdered) {
        MariaDbGtidSet first = MariaDbGtidSet.parse(one);
        MariaDbGtidSet second = MariaDbGtidSet.parse(other);

        assertThat(first.isOrderedByNumber(second)).isEqualTo(isOrdered);
        assertThat(second.isOrderedByNumber(first)).isEqualTo(isOrdered);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "0-1",
                "0-1-2-3",
                "0-1-x",
                "-1-1-1",
                "4294967296-1-1",
                "0-4294967296-1",
                "0-1-18446744073709551616",
                "0-1-1,0-1-2",
                "323b686a-e4de-11f1-8f50-02fc00000001:1-5"
            })
    void rejectsWhatIsNone(String text) {
        assertThatThrownBy(() -> MariaDbGtidSet.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(text.contains(",") ? "two GTIDs" : text);
    }

    @Test
    void sequencesAreUnsigned() {
        MariaDbGtid small = MariaDbGtid.parse("0-1-9223372036854775807");
        MariaDbGtid large = MariaDbGtid.parse("0-1-9223372036854775808");

        assertThat(small.isUpTo(large)).isTrue();
        assertThat(large.isUpTo(small)).isFalse();
        assertThat(large).hasToString("0-1-9223372036854775808");
        assertThat(MariaDbGtidSet.of(List.of(large)).contains(small)).isTrue();
        assertThat(MariaDbGtidSet.of(List.of(small)).contains(large)).isFalse();
    }

    @Test
    void isDistinguishedFromSetsOfMySql() {
        assertThat(GtidSet.parse("0-1-5, 3-1-9")).hasToString("0-1-5,3-1-9");
        assertThat(GtidSet.parse("00000000-0000-0000-0000-000000000001:1-5")).isInstanceOf(MySqlGtidSet.class);
        assertThat(GtidSet.parse("")).isInstanceOf(MySqlGtidSet.class).matches(GtidSet::isEmpty);
    }

    @Test
    void setsOfBothFlavoursCannotBeCombined() {
        MariaDbGtid mariaDb = MariaDbGtid.parse("0-1-5");
        MySqlGtid mySql = new MySqlGtid(new UUID(0, 1), 1);

        assertThat(MySqlGtidSet.EMPTY.plus((Gtid) mariaDb)).hasToString("0-1-5");
        assertThat(MariaDbGtidSet.EMPTY.plus((Gtid) mySql)).isEqualTo(MySqlGtidSet.EMPTY.plus(mySql));
        GtidSet ofMySql = MySqlGtidSet.EMPTY.plus(mySql);
        GtidSet ofMariaDb = MariaDbGtidSet.EMPTY.plus(mariaDb);
        assertThat(ofMySql.containsAll(ofMariaDb)).isFalse();
        assertThat(ofMariaDb.containsAll(ofMySql)).isFalse();
        assertThat(ofMySql.containsAll(MariaDbGtidSet.EMPTY)).isTrue();
        assertThat(ofMySql.contains(mariaDb)).isFalse();
        assertThatThrownBy(() -> ofMySql.plus(mariaDb)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ofMariaDb.plus(mySql)).isInstanceOf(IllegalArgumentException.class);
    }
}
