package io.sluice.bench.workload;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Consumer;

/** Sends many statements in one packet, since a round trip for each would take longer than the statements. */
final class StatementPackets implements Consumer<CharSequence>, AutoCloseable {
    private static final int PACKET_CHARS = 1 << 17;

    private final Statement connection;
    private final StringBuilder packet = new StringBuilder(2 * PACKET_CHARS);

    /** For a connection that permits several statements in one text. */
    StatementPackets(Connection connection) throws SQLException {
        this.connection = connection.createStatement();
        this.connection.execute("USE " + Tables.SCHEMA);
        this.connection.execute("SET time_zone='+00:00'");
    }

    @Override
    public void accept(CharSequence statement) {
        packet.append(statement).append(';');
        if (packet.length() >= PACKET_CHARS) {
            flush();
        }
    }

    void flush() {
        if (packet.length() == 0) {
            return;
        }
        try {
            connection.execute(packet.toString());
        } catch (SQLException e) {
            throw new IllegalStateException("MySQL rejected a statement of the workload: " + e.getMessage(), e);
        }
        packet.setLength(0);
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
