package io.sluice.stream.source.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.position.SourceServer;
import io.sluice.store.cursor.Subscription;
import io.sluice.stream.source.server.GaleraNode;
import java.util.List;
import org.junit.jupiter.api.Test;

class SmallestCursorTest {
    private static final String SOURCE = "3e11fa47-71ca-11e1-9e33-c80aa9429562";

    @Test
    void thereIsNoCursorWithoutClientsOrAcks() {
        assertThat(SmallestCursor.of(List.of())).isNull();
        assertThat(SmallestCursor.of(List.of(new Subscription(1, "", null)))).isNull();
    }

    @Test
    void aClientWithoutACursorIsIgnored() {
        Cursor only = at("a", "bin.000001", 4, 0, "");
        assertThat(SmallestCursor.of(List.of(new Subscription(1, "", null), new Subscription(2, "", only))))
                .isEqualTo(only);
    }

    @Test
    void filesOfOneServerCompareByTheirNumbers() {
        requireOrder(at("a", "bin.999999", 900, 2000, ""), at("A", "bin.1000000", 4, 1000, ""));
        requireOrder(at("a", "my.host.bin.000002", 4, 0, ""), at("a", "my.host.bin.000010", 4, 0, ""));
    }

    @Test
    void withinAFileTheOffsetCounts() {
        requireOrder(at("a", "bin.000001", 999, 2000, ""), at("a", "bin.000001", 1000, 1000, ""));
    }

    @Test
    void cursorsOfDifferentServersAreComparedByTime() {
        requireOrder(at("a", "bin.000009", 4, 1000, ""), at("b", "bin.000001", 4, 2000, ""));
        requireOrder(at("a", "old.000009", 4, 1000, ""), at("a", "bin.000001", 4, 2000, ""));
    }

    @Test
    void filesOfTwoServersThatHadTheSameAddressHaveNothingInCommon() {
        Cursor before = of("first", "bin.000009", 4, 1000);
        requireOrder(before, of("second", "bin.000001", 4, 2000));
        requireOrder(of("second", "bin.000001", 4, 2000), of("second", "bin.000002", 4, 1000));
        requireOrder(at("a", "bin.000001", 4, 2000, ""), before);
    }

    @Test
    void cursorsOfDifferentServersAreComparedByGtid() {
        requireOrder(at("a", "bin.000009", 4, 2000, SOURCE + ":1-5"), at("b", "bin.000001", 4, 1000, SOURCE + ":1-7"));
    }

    @Test
    void overlappingSetsAreNotComparable() {
        requireOrder(
                at("a", "bin.000009", 4, 1000, SOURCE + ":1-5:9"), at("b", "bin.000001", 4, 2000, SOURCE + ":1-7"));
        requireOrder(at("a", "bin.000009", 4, 1000, "0-1-5,1-1-1"), at("b", "bin.000001", 4, 2000, "0-1-4,1-1-2"));
    }

    @Test
    void cursorsOfDifferentMariaDbServersAreComparedByGtid() {
        requireOrder(at("b", "bin.000009", 4, 2000, "0-1-4"), at("a", "bin.000001", 4, 1000, "0-1-5"));
    }

    @Test
    void gtidsOfTwoServersInOneDomainWithTimesInTheSameOrderAreNotInDoubt() {
        Cursor before = at("a", "bin.000009", 4, 1000, "0-1-100");
        for (Cursor after : List.of(
                at("b", "bin.000001", 4, 2000, "0-2-101"),
                at("b", "bin.000001", 4, 1000, "0-2-101"),
                at("b", "bin.000001", 4, 0, "0-2-101"))) {
            requireOrder(before, after);
            assertThat(inDoubt(before, after)).isEmpty();
        }
        requireOrder(at("a", "bin.000009", 4, 1000, "0-1-100,5-1-1"), at("b", "bin.000001", 4, 2000, "0-1-101,5-2-1"));
        requireOrder(
                at("b", "bin.000009", 4, 2000, "0-1-4,5-1-1"), at("a", "bin.000001", 4, 1000, "0-1-5,6-1-1,5-1-1"));
    }

    /** The next server counts on, and its clock is two seconds behind. */
    @Test
    void afterAFailOverTheLowerNumberIsSmallerWhateverTheClocks() {
        Cursor before = at("a", "bin.000009", 4, 1_005_000, "0-1-100");
        Cursor after = at("b", "bin.000001", 4, 1_003_000, "0-2-101");

        requireOrder(before, after);
    }

    /** Each may number on its own, so that a later transaction has a lower number. */
    @Test
    void theOrderOfTwoServersInOneDomainIsInDoubtIfNumbersAndTimesContradictEachOther() {
        Cursor lower = at("b", "bin.000001", 4, 2000, "0-3-60");
        Cursor higher = at("a", "bin.000009", 4, 1000, "0-1-100");
        requireOrder(lower, higher);
        assertThat(inDoubt(lower, higher)).containsExactly(higher);
        assertThat(inDoubt(higher, lower)).containsExactly(higher);

        Cursor sameNumber = at("b", "bin.000001", 4, 2000, "0-3-100");
        requireOrder(higher, sameNumber);
        assertThat(inDoubt(higher, sameNumber)).containsExactly(sameNumber);
    }

    @Test
    void theOrderIsCertainWithinOneServerAndOfSetsOfMySql() {
        assertThat(inDoubt(at("a", "bin.000001", 4, 2000, "0-3-60"), at("a", "bin.000009", 4, 1000, "0-1-100")))
                .isEmpty();
        assertThat(inDoubt(
                        at("a", "bin.000009", 4, 2000, SOURCE + ":1-5"),
                        at("b", "bin.000001", 4, 1000, SOURCE + ":1-7")))
                .isEmpty();
        assertThat(inDoubt(at("a", "bin.000009", 4, 2000, "0-1-4"), at("b", "bin.000001", 4, 1000, "0-1-5")))
                .isEmpty();
        assertThat(SmallestCursor.inDoubt(List.of(new Subscription(1, "", null))))
                .isEmpty();
    }

    /** They number together, and the time of a transaction is when its first statement began. */
    @Test
    void cursorsOfNodesWithSharedGtidsAreComparedByNumber() {
        Cursor before = ofNode("n1", 2000, "0-1-100", false);
        Cursor after = ofNode("n2", 1000, "0-2-101", false);

        requireOrder(before, after);
        assertThat(inDoubt(before, after)).isEmpty();
    }

    private static List<Cursor> inDoubt(Cursor one, Cursor other) {
        return SmallestCursor.inDoubt(List.of(new Subscription(1, "", one), new Subscription(2, "", other))).stream()
                .map(Subscription::cursor)
                .toList();
    }

    /** A GTID is not the same transaction on two nodes. */
    @Test
    void cursorsOfNodesThatNumberByThemselvesAreComparedByTime() {
        requireOrder(ofNode("n1", 1000, "0-1-5000", true), ofNode("n2", 2000, "0-1-4990", true));
    }

    private static Cursor ofNode(String node, long millis, String gtids, boolean hasOwnGtids) {
        return new Cursor(
                new SourceServer("a", 3306, GaleraNode.identity("server 1 at a:3306", node, hasOwnGtids)),
                BinlogPosition.UNKNOWN,
                gtids,
                1,
                millis,
                null);
    }

    @Test
    void ofTwoFilesOfOneNameTheOlderCounts() {
        requireOrder(begun(1_000, at("a", "bin.000002", 900, 0, "")), begun(2_000, at("a", "bin.000002", 4, 0, "")));
        requireOrder(begun(2_000, at("a", "bin.000002", 4, 0, "")), begun(1_000, at("a", "bin.000003", 4, 0, "")));
        requireOrder(at("a", "bin.000002", 4, 0, ""), begun(1_000, at("a", "bin.000002", 900, 0, "")));
    }

    private static Cursor begun(long seconds, Cursor cursor) {
        return new Cursor(
                cursor.source(),
                cursor.position(),
                cursor.gtidSet(),
                cursor.serverId(),
                cursor.timestampMillis(),
                cursor.schema(),
                seconds);
    }

    private static void requireOrder(Cursor smaller, Cursor larger) {
        Subscription one = new Subscription(1, "", smaller);
        Subscription other = new Subscription(2, "", larger);
        assertThat(SmallestCursor.of(List.of(one, other))).isEqualTo(smaller);
        assertThat(SmallestCursor.of(List.of(other, one))).isEqualTo(smaller);
    }

    private static Cursor of(String identity, String file, long offset, long millis) {
        return new Cursor(new SourceServer("a", 3306, identity), new BinlogPosition(file, offset), "", 1, millis, null);
    }

    private static Cursor at(String host, String file, long offset, long millis, String gtid) {
        return new Cursor(host, 3306, new BinlogPosition(file, offset), gtid, 1, millis);
    }
}
