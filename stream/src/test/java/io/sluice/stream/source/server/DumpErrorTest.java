package io.sluice.stream.source.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.wire.error.ServerErrors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DumpErrorTest {
    /** Words of MySQL 5.7, 8.0 and 9.7, and of MariaDB. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            GONE      | Could not find first log file name in binary log index file
            GONE      | Client requested master to start replication from position > file size
            GONE      | Client requested source to start replication from impossible position; the first event 'a.000001' at 4
            DAMAGED   | bogus data in log event; the first event 'a.000001' at 5, the last event read from './a.000001' at 5
            GONE      | The slave is connecting using CHANGE MASTER TO MASTER_AUTO_POSITION = 1, but the master has purged binary logs containing GTIDs that the slave requires.
            GONE      | Cannot replicate because the source purged required binary logs. Replicate the missing transactions from elsewhere
            GONE      | Could not find GTID state requested by slave in any binlog files. Probably the slave state is too old and required binlog files have been purged.
            GONE      | Error: connecting slave requested to start from GTID 0-1-7, which is not in the master's binlog
            DIVERGED  | Error: connecting slave requested to start from GTID 0-1-7, which is not in the master's binlog. Since the master's binlog contains GTIDs with higher sequence numbers, it probably means that the slave has diverged due to executing extra erroneous transactions
            DIVERGED  | Slave has more GTIDs than the master has, using the master's SERVER_UUID. This may indicate that the end of the binary log was truncated
            TWIN      | A slave with the same server_uuid/server_id as this slave has connected to the master; the first event '' at 4
            TWIN      | A replica with the same server_uuid/server_id as this replica has connected to the source; the first event '' at 4
            NO_GTIDS  | Cannot replicate anonymous transaction when AUTO_POSITION = 1, at file ./a.000006, position 237.
            ANONYMOUS | Cannot replicate anonymous transaction when @@GLOBAL.GTID_MODE = ON, at file ./a.000006, position 237.
            NO_GTIDS  | The replication sender thread cannot start in AUTO_POSITION mode: this server has GTID_MODE = OFF_PERMISSIVE instead of ON.
            TOO_LARGE | log event entry exceeded max_allowed_packet; Increase max_allowed_packet on source; the first event
            OTHER     | could not open log file
            DAMAGED   | binlog truncated in the middle of event; consider out of disk space on source
            DAMAGED   | event read from binlog did not pass crc check; the first event 'a.000001' at 4
            DAMAGED   | Event crc check failed! Most likely there is event corruption
            DAMAGED   | could not find next log; the first event 'a.000001' at 4
            """)
    void theMessageDeterminesTheReason(DumpError reason, String words) {
        assertThat(DumpError.of(words)).isEqualTo(reason);
    }

    /** Of MariaDB: the binlog has later transactions, and not the one that was read. */
    @Test
    void aTransactionThatIsNotInTheBinlogThoughLaterOnesAreIsNotPurged() {
        assertThat(DumpError.of(ServerErrors.of(1955))).isEqualTo(DumpError.DIVERGED);
    }
}
