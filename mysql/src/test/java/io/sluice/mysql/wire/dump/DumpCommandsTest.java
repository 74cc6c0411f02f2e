package io.sluice.mysql.wire.dump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sluice.mysql.gtid.MariaDbGtidSet;
import io.sluice.mysql.gtid.MySqlGtidSet;
import java.time.Duration;
import java.util.HexFormat;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DumpCommandsTest {
    private static final UUID REPLICA = UUID.fromString("01234567-89ab-cdef-0123-456789abcdef");
    private static final DumpRequest REQUEST =
            DumpRequest.from("binlog.000007", 0xFFFF_FFFFL, 0x8000_0001L).withReplicaUuid(REPLICA);

    @Test
    void setsBothNamesOfEveryVariable() {
        assertThat(DumpCommands.sessionStatement(REQUEST, false))
                .isEqualTo("set net_write_timeout = 7200"
                        + ", @slave_uuid = '01234567-89ab-cdef-0123-456789abcdef'"
                        + ", @replica_uuid = '01234567-89ab-cdef-0123-456789abcdef'"
                        + ", @master_heartbeat_period = 15000000000"
                        + ", @source_heartbeat_period = 15000000000");
    }

    @Test
    void asksForNoHeartbeatsIfThePeriodIsZero() {
        assertThat(DumpCommands.sessionStatement(REQUEST.withHeartbeatPeriod(Duration.ZERO), false))
                .doesNotContain("heartbeat");
    }

    @Test
    void announcesGtidSupportToMariaDb() {
        assertThat(DumpCommands.sessionStatement(REQUEST, true)).endsWith(", @mariadb_slave_capability = 4");
    }

    @Test
    void saysWhereItBegins() {
        assertThat(DumpRequest.from("binlog.000007", 4, 7).start()).isEqualTo("binlog.000007:4");
        assertThat(DumpRequest.from("", 4, 7).start()).isEqualTo("the oldest file");
    }

    @Test
    void asksForTheStream() {
        assertThat(hex(DumpCommands.dump(REQUEST)))
                .isEqualTo("12" + "ffffffff" + "0200" + "01000080" + "62696e6c6f672e303030303037");
        assertThat(hex(DumpCommands.dump(REQUEST.upToTheEnd()))).startsWith("12" + "ffffffff" + "0300");
    }

    @Test
    void asksForTheWholeFileIfThePositionDoesNotFit() {
        DumpRequest request = DumpRequest.from("binlog.000007", 0x1_0000_0000L, 0x8000_0001L);

        assertThat(hex(DumpCommands.dump(request)))
                .isEqualTo("12" + "04000000" + "0200" + "01000080" + "62696e6c6f672e303030303037");
        assertThat(request.isBeyondCommand()).isTrue();
        assertThat(REQUEST.isBeyondCommand()).isFalse();
    }

    @Test
    void asksForTheTransactionsAfterAGtidSet() {
        DumpRequest request =
                DumpRequest.after(MySqlGtidSet.parse("00000000-0000-0000-0000-000000000001:1-5"), 0x8000_0001L);

        assertThat(hex(DumpCommands.dump(request)))
                .isEqualTo("1e" + "0600" + "01000080" + "00000000" + "0400000000000000" + "30000000"
                        + "0100000000000000" + "00000000000000000000000000000001" + "0100000000000000"
                        + "0100000000000000" + "0600000000000000");
        assertThat(hex(DumpCommands.dump(request.upToTheEnd()))).startsWith("1e" + "0700");
    }

    @Test
    void sendsTheLastTransactionOfEachDomainToMariaDb() {
        DumpRequest request = DumpRequest.after(MariaDbGtidSet.parse("0-1-42,5-2-7"), 1);

        assertThat(DumpCommands.sessionStatement(request, true))
                .endsWith(", @slave_connect_state = '0-1-42,5-2-7'"
                        + ", @slave_gtid_strict_mode = 0, @slave_gtid_ignore_duplicates = 0");
        assertThat(hex(DumpCommands.dump(request))).isEqualTo("12" + "04000000" + "0200" + "01000000");
    }

    @Test
    void registersWithTheLocalAddress() {
        assertThat(hex(DumpCommands.registerReplica(REQUEST, "10.0.0.1", 0xABCD)))
                .isEqualTo(
                        "15" + "01000080" + "08" + "31302e302e302e31" + "00" + "00" + "cdab" + "00000000" + "00000000");
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 0, 3})
    void rejectsPositionsBeforeTheFirstEvent(long position) {
        assertThatIllegalArgumentException().isThrownBy(() -> DumpRequest.from("binlog.000007", position, 1));
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 0, 0x1_0000_0000L})
    void rejectsServerIdsOutOfRange(long serverId) {
        assertThatIllegalArgumentException().isThrownBy(() -> DumpRequest.from("binlog.000007", 4, serverId));
    }

    @Test
    void rejectsDurationsThatTheServerWouldReject() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> REQUEST.withHeartbeatPeriod(Duration.ofSeconds(4_294_968)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new DumpRequest(
                        "binlog.000007", 4, 1, REPLICA, Duration.ZERO, Duration.ofMillis(999), true, null));
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
