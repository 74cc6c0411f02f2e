package io.sluice.stream.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.mysql.gtid.MariaDbGtid;
import io.sluice.mysql.gtid.MySqlGtidSet;
import io.sluice.mysql.transaction.TransactionTracker;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.failure.StreamException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GtidTrackerTest {
    /** Such a set has hundreds of thousands of characters, and the message is shown by alarms and pages. */
    @Test
    void aPositionOfTheOtherFlavourIsShortenedInTheMessage() {
        String intervals = IntStream.range(1, 5000).mapToObj(i -> ":" + 2 * i).collect(Collectors.joining());
        MySqlGtidSet read = MySqlGtidSet.parse("3e11fa47-71ca-11e1-9e33-c80aa9429562" + intervals);
        GtidTracker tracker = new GtidTracker(new TransactionTracker(BinlogPosition.UNKNOWN, read));

        StreamException failure =
                catchThrowableOfType(StreamException.class, () -> tracker.accept(MariaDbGtid.parse("0-1-5")));

        assertThat(failure)
                .hasMessageStartingWith(
                        "the source is MariaDB, but the position has GTIDs of the other flavour of server: 3e11fa47-")
                .hasMessageEndingWith(":…");
        assertThat(failure.getMessage()).hasSizeLessThan(600);
        assertThat(failure.getCause().getMessage()).hasSizeLessThan(600);
    }
}
