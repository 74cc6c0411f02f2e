package io.sluice.mysql.wire.query;

import static io.sluice.mysql.wire.packet.Packets.concat;
import static io.sluice.mysql.wire.packet.Packets.packet;
import static io.sluice.mysql.wire.packet.Packets.recorded;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sluice.mysql.wire.error.MalformedPacketException;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.mysql.wire.packet.PacketChannel;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ResultReaderTest {
    /**
     * {@code select 1 as one, null as nothing, 'ä' as umlaut, '' as blank union all select 22, x'00ff', 'b', repeat('x',
     * 300)} at a MySQL 8.0.31.
     */
    @Test
    void readsRows() throws IOException {
        QueryResult result = read(recorded("result/two-rows"));

        assertThat(result.columns()).containsExactly("one", "nothing", "umlaut", "blank");
        assertThat(result.rows()).hasSize(2);
        QueryResult.Row first = result.firstRow();
        assertThat(first.size()).isEqualTo(4);
        assertThat(first.text(0)).isEqualTo("1");
        assertThat(first.text(1)).isNull();
        assertThat(first.bytes(1)).isNull();
        assertThat(first.text("UMLAUT")).isEqualTo("\u00e4");
        assertThat(first.text("blank")).isEmpty();
        QueryResult.Row second = result.rows().get(1);
        assertThat(second.bytes(1)).containsExactly(0, 0xFF);
        assertThat(second.text(3)).isEqualTo("x".repeat(300));
        assertThatIllegalArgumentException().isThrownBy(() -> first.text("two"));
    }

    @Test
    void readsAnAnswerWithoutRows() throws IOException {
        QueryResult result = read(recorded("result/ok"));

        assertThat(result.columns()).isEmpty();
        assertThat(result.firstRow()).isNull();
    }

    @Test
    void throwsTheServersError() {
        assertThatExceptionOfType(ServerErrorException.class)
                .isThrownBy(() -> read(recorded("result/error")))
                .satisfies(e -> assertThat(e.errno()).isEqualTo(1142))
                .satisfies(e -> assertThat(e.serverMessage())
                        .isEqualTo("SELECT command denied to user 'sha2'@'localhost' for table 'nothing'"))
                .withMessageStartingWith("testing: server error 1142 (42000): SELECT command denied");
    }

    @Test
    void throwsAnErrorThatComesInsteadOfARow() {
        byte[] bytes = concat(
                packet(1, new byte[] {1}),
                packet(2, new byte[] {0, 0, 0, 0, 1, 'c'}),
                packet(3, new byte[] {(byte) 0xFE, 0, 0, 2, 0}),
                packet(4, new byte[] {1, '1'}),
                packet(5, new byte[] {(byte) 0xFF, 0x25, 0x05, '#', '7', '0', '1', '0', '0', 'q'}));

        assertThatExceptionOfType(ServerErrorException.class)
                .isThrownBy(() -> read(bytes))
                .satisfies(e -> assertThat(e.errno()).isEqualTo(1317))
                .satisfies(e -> assertThat(e.sqlState()).isEqualTo("70100"));
    }

    @Test
    void givesNoFilesToTheServer() {
        byte[] localFile = packet(1, new byte[] {(byte) 0xFB, '/', 'e', 't', 'c'});

        assertThatExceptionOfType(MalformedPacketException.class).isThrownBy(() -> read(localFile));
    }

    @Test
    void rejectsAResultThatExceedsTheLimit() {
        PacketChannel channel = channel(recorded("result/two-rows"));

        assertThatExceptionOfType(MalformedPacketException.class)
                .isThrownBy(() -> new ResultReader(channel, "testing", limit(1700, 10)).read(errno -> ""))
                .withMessage("result exceeds the limit of 1700 bytes of heap, with 2 rows so far: do this");
    }

    @Test
    void rejectsMoreRowsThanTheLimit() {
        PacketChannel channel = channel(recorded("result/two-rows"));

        assertThatExceptionOfType(MalformedPacketException.class)
                .isThrownBy(() -> new ResultReader(channel, "testing", limit(1_000_000, 1)).read(errno -> ""))
                .withMessage("result exceeds the limit of 1 rows: do this");
    }

    private static ResultLimit limit(long bytes, long rows) {
        return new ResultLimit(bytes, rows, Duration.ZERO, "do this");
    }

    private static QueryResult read(byte[] fromServer) throws IOException {
        return new ResultReader(channel(fromServer), "testing", ResultLimit.SMALL).read(errno -> "");
    }

    private static PacketChannel channel(byte[] fromServer) {
        PacketChannel channel =
                new PacketChannel(new ByteArrayInputStream(fromServer), OutputStream.nullOutputStream(), 1_000_000);
        channel.newExchange();
        try {
            channel.send(new byte[] {3});
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return channel;
    }
}
