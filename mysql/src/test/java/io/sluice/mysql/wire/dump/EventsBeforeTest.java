package io.sluice.mysql.wire.dump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.binlog.EventHeader;
import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import org.junit.jupiter.api.Test;

class EventsBeforeTest {
    private static final int HEAD = 100;
    private static final int LARGEST = Integer.MAX_VALUE;
    private static final EventHeader NAMES_THE_FILE = event(EventCode.ROTATE, 40, 0, EventHeader.FLAG_ARTIFICIAL);
    private static final EventHeader FORMAT = inFile(EventCode.FORMAT_DESCRIPTION, HEAD);
    /** Behind the format description, and four of the largest events. */
    private static final long POSITION = 4 + HEAD + 4L * LARGEST;

    private final EventsBefore before = before(POSITION);

    @Test
    void theFormatDescriptionIsAllThatComesBeforeThePosition() throws Exception {
        assertThat(before.isPassedOver(NAMES_THE_FILE)).isTrue();
        assertThat(before.isPassedOver(FORMAT)).isFalse();
        readFour(before);

        assertThat(before.isAhead()).isFalse();
    }

    /** Of these servers make up some while they send a file; an encrypted file begins with such an event, which takes no room in a dump. */
    @Test
    void whatIsInNoFileDoesNotCount() throws Exception {
        assertThat(before.isPassedOver(NAMES_THE_FILE)).isTrue();
        assertThat(before.isPassedOver(FORMAT)).isFalse();
        assertThat(before.isPassedOver(event(EventCode.MARIADB_START_ENCRYPTION, 36, 0, 0)))
                .isTrue();
        readFour(before);

        assertThat(before.isAhead()).isFalse();
    }

    /** The file has what was to be read, so nothing may be left out because of it. */
    @Test
    void aPositionWithinAnEventIsAFailureWithAnOffsetBeforeIt() throws Exception {
        EventsBefore within = before(POSITION - 1);
        within.isPassedOver(NAMES_THE_FILE);
        within.isPassedOver(FORMAT);
        for (int i = 0; i < 3; i++) {
            within.isPassedOver(inFile(EventCode.XID, LARGEST));
        }

        assertThatThrownBy(() -> within.isPassedOver(inFile(EventCode.XID, LARGEST)))
                .isInstanceOfSatisfying(SourceException.class, e -> {
                    assertThat(e.failure()).isEqualTo(SourceFailure.MISCONFIGURED);
                    assertThat(e.remedy()).contains("--to binlog.000007:" + (POSITION - LARGEST));
                })
                .hasMessage("no event of binlog.000007 begins at %d, from which it was to be read: one is from %d to %d"
                        .formatted(POSITION - 1, POSITION - LARGEST, POSITION));
    }

    /** A server sends one if it has nothing more. */
    @Test
    void aHeartbeatBeforeThePositionIsAFailure() throws Exception {
        for (int heartbeat : new int[] {EventCode.HEARTBEAT, EventCode.HEARTBEAT_V2}) {
            EventsBefore behind = before(POSITION + 1);
            behind.isPassedOver(NAMES_THE_FILE);
            behind.isPassedOver(FORMAT);
            readFour(behind);

            assertThatThrownBy(() -> behind.isPassedOver(event(heartbeat, 50, POSITION & 0xFFFF_FFFFL, 0)))
                    .isInstanceOfSatisfying(
                            SourceException.class, e -> assertThat(e.failure()).isEqualTo(SourceFailure.PURGED))
                    .hasMessage(
                            "no event of binlog.000007 begins at %d, from which it was to be read: the binlog ends at %d"
                                    .formatted(POSITION + 1, POSITION));
        }
    }

    /** As of what alters the events on the way: then another event would be taken for the one at the position. */
    @Test
    void anEventThatEndsElsewhereThanItsHeaderStatesIsAFailure() throws Exception {
        before.isPassedOver(NAMES_THE_FILE);
        before.isPassedOver(FORMAT);
        before.isPassedOver(event(EventCode.XID, LARGEST, 4 + HEAD + (long) LARGEST, 0));
        before.isPassedOver(event(EventCode.XID, LARGEST, (4 + HEAD + 2L * LARGEST) & 0xFFFF_FFFFL, 0));

        assertThatThrownBy(() ->
                        before.isPassedOver(event(EventCode.XID, LARGEST, (5 + HEAD + 3L * LARGEST) & 0xFFFF_FFFFL, 0)))
                .isInstanceOfSatisfying(
                        SourceException.class, e -> assertThat(e.failure()).isEqualTo(SourceFailure.CORRUPT))
                .hasMessageContaining("the event at binlog.000007:%d cannot be read, on the way to %d"
                        .formatted(4 + HEAD + 2L * LARGEST, POSITION));
    }

    /** A server that has crashed has not written where the file ends. */
    @Test
    void aPositionBehindTheEndOfTheFileIsAFailure() throws Exception {
        for (EventHeader end : new EventHeader[] {inFile(EventCode.ROTATE, 40), NAMES_THE_FILE}) {
            EventsBefore behind = before(POSITION + 50);
            behind.isPassedOver(NAMES_THE_FILE);
            behind.isPassedOver(FORMAT);
            readFour(behind);

            assertThatThrownBy(() -> behind.isPassedOver(end))
                    .isInstanceOfSatisfying(
                            SourceException.class, e -> assertThat(e.failure()).isEqualTo(SourceFailure.PURGED))
                    .hasMessageContaining(
                            "begins at %d, from which it was to be read: the file ends at ".formatted(POSITION + 50));
        }
    }

    @Test
    void thePositionMayBeTheEndOfTheFile() throws Exception {
        EventsBefore atTheEnd = before(POSITION + 40);
        atTheEnd.isPassedOver(NAMES_THE_FILE);
        atTheEnd.isPassedOver(FORMAT);
        readFour(atTheEnd);

        assertThat(atTheEnd.isAhead()).isTrue();
        assertThat(atTheEnd.isPassedOver(inFile(EventCode.ROTATE, 40))).isTrue();
        assertThat(atTheEnd.isAhead()).isFalse();
    }

    private static void readFour(EventsBefore before) throws SourceException {
        for (int i = 0; i < 4; i++) {
            assertThat(before.isAhead()).isTrue();
            assertThat(before.isPassedOver(inFile(EventCode.XID, LARGEST))).isTrue();
        }
    }

    private static EventsBefore before(long position) {
        return new EventsBefore(DumpRequest.from("binlog.000007", position, 99));
    }

    private static EventHeader inFile(int code, int length) {
        return event(code, length, 0, 0);
    }

    private static EventHeader event(int code, int length, long nextOffset, int flags) {
        return new EventHeader(1_700_000_000, code, 1, length, nextOffset, flags);
    }
}
