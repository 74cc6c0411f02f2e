package io.sluice.stream.source.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.gtid.GtidSet;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.server.ServerFacts;
import io.sluice.stream.source.watch.MovedAddress.Finding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MovedAddressTest {
    private static final String READ = "the server that is read";
    private static final String OTHER = "another one";

    private final MovedAddress address = new MovedAddress();
    private BinlogPosition readTo = new BinlogPosition("binlog.000001", 500);
    private long received = 1_000;
    private BinlogPosition end = new BinlogPosition("binlog.000009", 700);
    private boolean isOnly = true;
    private long minutes;

    @Test
    void isFollowedIfTheOtherServerWritesAndNothingComes() {
        assertThat(lookElsewhere()).isEqualTo(Finding.NONE);
        write();
        assertThat(lookElsewhere()).isEqualTo(Finding.ELSEWHERE);
        assertThat(isStalled()).as("what was written may still come").isFalse();

        assertThat(lookElsewhere()).isEqualTo(Finding.MOVED);
        assertThat(isStalled()).isTrue();

        address.leadsTo(OTHER, false, now());
        assertThat(isStalled()).isFalse();
    }

    /** As if the server to which the address leads is down meanwhile. */
    @Test
    void isNoStallAnyMoreWhenSomethingComesThoughNoLookSucceeds() {
        stall();

        readTo = new BinlogPosition(readTo.file(), readTo.offset() + 1);

        assertThat(isStalled()).isFalse();
    }

    @Test
    void isNoStallAnyMoreWhenAnotherServerIsRead() {
        stall();

        assertThat(address.isStalled(OTHER, readTo)).isFalse();
        assertThat(address.isStalled(null, readTo)).isFalse();
    }

    private void stall() {
        lookElsewhere();
        write();
        lookElsewhere();
        lookElsewhere();
        assertThat(isStalled()).isTrue();
    }

    private boolean isStalled() {
        return address.isStalled(READ, readTo);
    }

    @Test
    void isReportedOnceIfNothingIsWritten() {
        lookElsewhere();
        assertThat(lookElsewhere()).isEqualTo(Finding.ELSEWHERE);
        for (int i = 0; i < 100; i++) {
            assertThat(lookElsewhere()).isEqualTo(Finding.NONE);
        }
        assertThat(isStalled()).isFalse();
    }

    /** Such as one of several replicas, whose connection stays where it is while new ones lead to others. */
    @Test
    void isNoStallAsLongAsTheServerThatIsReadSendsEvents() {
        for (int i = 0; i < 100; i++) {
            write();
            readTo = new BinlogPosition(readTo.file(), readTo.offset() + 1);
            assertThat(lookElsewhere()).isIn(Finding.NONE, Finding.ELSEWHERE);
            assertThat(isStalled()).isFalse();
        }
    }

    @Test
    void isNoStallIfTheSourceIsNotReadSinceTheStoreIsFull() {
        for (int i = 0; i < 100; i++) {
            write();
            minutes++;
            assertThat(look()).isIn(Finding.NONE, Finding.ELSEWHERE);
            assertThat(isStalled()).isFalse();
        }
    }

    @Test
    void isNoStallIfTheOtherServerCannotBeAsked() {
        for (int i = 0; i < 100; i++) {
            minutes++;
            received++;
            assertThat(address.leadsElsewhere(reading(), new MovedAddress.Other(OTHER, true, null), now()))
                    .isIn(Finding.NONE, Finding.ELSEWHERE);
        }
        assertThat(isStalled()).isFalse();
    }

    /** Of a server without GTIDs. */
    @Test
    void anotherFileIsNoWrite() {
        lookElsewhere();
        end = new BinlogPosition("binlog.000010", 1_000);
        lookElsewhere();
        lookElsewhere();
        assertThat(lookElsewhere()).isEqualTo(Finding.NONE);

        write();
        lookElsewhere();
        assertThat(lookElsewhere()).isEqualTo(Finding.MOVED);
    }

    @Test
    void writesAreKnownByGtids() {
        for (String executed : new String[] {"0-1-5", "0-1-5", "0-1-5", "0-1-6"}) {
            assertThat(lookByGtids(executed)).isNotEqualTo(Finding.MOVED);
        }
        assertThat(lookByGtids("0-1-6")).isEqualTo(Finding.MOVED);
    }

    private Finding lookByGtids(String executed) {
        minutes++;
        received++;
        end = new BinlogPosition("binlog.000009", 700 + minutes); // a rotation is in the binlog, too
        return address.leadsElsewhere(
                reading(),
                new MovedAddress.Other(OTHER, true, new ServerFacts.End(end, GtidSet.parse(executed))),
                now());
    }

    /** Then connecting again may lead to the same server, and again. */
    @Test
    void anAddressOfSeveralServersIsNotFollowed() {
        lookElsewhere();
        minutes++;
        address.leadsTo(READ, false, now());
        requireStallIsReportedOnly(9);
    }

    @Test
    void anAddressThatLeadsToSeveralServersInOneLookIsNotFollowed() {
        minutes++;
        address.leadsTo(READ, true, now());
        requireStallIsReportedOnly(9);
    }

    @Test
    void anAddressOfSeveralOtherServersIsNotFollowed() {
        isOnly = false;
        requireStallIsReportedOnly(50);
    }

    /** Such as a proxy that leads to two replicas in turn, and no more to the third one, which has stopped to replicate. */
    @Test
    void othersInTurnAreComparedWithThemselves() {
        lookAt("one", 700);
        lookAt("two", 900);
        lookAt("one", 700);
        assertThat(lookAt("two", 901)).isEqualTo(Finding.NONE);

        assertThat(lookAt("one", 700)).isEqualTo(Finding.STALLED);
    }

    private Finding lookAt(String server, long offset) {
        minutes++;
        received++;
        BinlogPosition at = new BinlogPosition("binlog.000009", offset);
        return address.leadsElsewhere(
                reading(), new MovedAddress.Other(server, true, new ServerFacts.End(at, null)), now());
    }

    private void requireStallIsReportedOnly(int looks) {
        int reports = 0;
        for (int i = 0; i < looks; i++) {
            write();
            Finding finding = lookElsewhere();
            assertThat(finding).isNotEqualTo(Finding.MOVED);
            reports += finding == Finding.STALLED ? 1 : 0;
        }
        assertThat(reports).isOne();
        assertThat(isStalled()).isTrue();
    }

    /** As while the change of a name is not known everywhere yet. */
    @Test
    void anAddressThatLedBackBeforeItWasMovedIsFollowedWithinMinutes() {
        minutes++;
        address.leadsTo(READ, true, now());
        Finding finding = Finding.NONE;
        for (int i = 0; i < 10; i++) {
            assertThat(finding).isNotEqualTo(Finding.MOVED);
            write();
            finding = lookElsewhere();
        }

        assertThat(finding).isEqualTo(Finding.MOVED);
    }

    @Test
    void nothingIsKnownOfTheAddressOfAnotherHost() {
        minutes++;
        address.leadsTo(READ, true, now());

        address.changeHost();

        lookElsewhere();
        write();
        lookElsewhere();
        assertThat(lookElsewhere()).isEqualTo(Finding.MOVED);
        address.changeHost();
        lookElsewhere();
        write();
        lookElsewhere();
        assertThat(lookElsewhere()).as("without a pause").isEqualTo(Finding.MOVED);
    }

    @Test
    void eachTimeInARowHasALongerPause() {
        List<Long> times = new ArrayList<>();
        while (times.size() < 9) {
            write();
            if (lookElsewhere() == Finding.MOVED) {
                times.add(minutes);
            }
        }

        assertThat(IntStream.range(1, times.size())
                        .mapToObj(i -> times.get(i) - times.get(i - 1))
                        .toList())
                .containsExactly(2L, 4L, 8L, 16L, 32L, 60L, 60L, 60L);
    }

    private void write() {
        end = new BinlogPosition(end.file(), end.offset() + 100);
    }

    /** Heartbeats came. */
    private Finding lookElsewhere() {
        minutes++;
        received++;
        return look();
    }

    private Finding look() {
        return address.leadsElsewhere(
                reading(), new MovedAddress.Other(OTHER, isOnly, new ServerFacts.End(end, null)), now());
    }

    private MovedAddress.Reading reading() {
        return new MovedAddress.Reading(READ, readTo, received);
    }

    private long now() {
        return Long.MAX_VALUE
                - Duration.ofMinutes(30).toNanos()
                + Duration.ofMinutes(minutes).toNanos();
    }
}
