package io.sluice.server.simulation;

import io.sluice.connector.api.deliver.SimulatedBroker.Clock;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.table.TableName;
import io.sluice.stream.mapping.HiddenColumns;
import io.sluice.stream.source.server.SourceConnection;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.stream.source.server.SourceQueries;
import io.sluice.stream.source.server.SourceServers;
import io.sluice.stream.source.server.UnloggedCascades;
import io.sluice.testkit.binlog.SyntheticTable;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The connections of one process to the simulated hosts. */
final class SimulatedServers implements SourceServers {
    /** Of all schemas. */
    private static final String CHARSET = "utf8mb4";

    private final List<SimulatedHost> hosts;
    private final Clock time;
    private final BooleanSupplier fails;
    private final BooleanSupplier sendsMore;
    private final boolean beatsAtOnce;
    private final Map<ServerAddress, SimulatedHost> redirected = new HashMap<>();
    private long connections;
    private @Nullable SimulatedDump dump;

    /**
     * Makes one.
     *
     * @param fails whether the next request to a host fails
     * @param sendsMore whether the next dump has more than one event ready
     * @param beatsAtOnce see {@link Mistake#SUCCEEDS_AT_THE_FORMAT_DESCRIPTION}
     */
    SimulatedServers(
            List<SimulatedHost> hosts,
            Clock time,
            BooleanSupplier fails,
            BooleanSupplier sendsMore,
            boolean beatsAtOnce) {
        this.hosts = hosts;
        this.time = time;
        this.fails = fails;
        this.sendsMore = sendsMore;
        this.beatsAtOnce = beatsAtOnce;
    }

    /** Leads new connections to a host to another one. */
    void redirect(SimulatedHost from, SimulatedHost to) {
        redirected.put(from.address(), to);
    }

    private SimulatedHost host(ServerAddress address) {
        SimulatedHost other = redirected.get(address);
        return other != null
                ? other
                : hosts.stream()
                        .filter(host -> host.address().equals(address))
                        .findFirst()
                        .orElseThrow();
    }

    void requireReachable(SimulatedHost host) throws IOException {
        if (host.isDown() || fails.getAsBoolean()) {
            throw new IOException(host.address() + " does not answer");
        }
    }

    boolean sendsMore() {
        return sendsMore.getAsBoolean();
    }

    boolean beatsAtOnce() {
        return beatsAtOnce;
    }

    SimulatedDump opened(SimulatedDump opened) {
        dump = opened;
        return opened;
    }

    /** The dump that was requested last; null if there is none. */
    @Nullable SimulatedDump dump() {
        return dump;
    }

    /** How often the process has connected. */
    long connections() {
        return connections;
    }

    @Override
    public SourceConnection connect(SourceHost source) throws IOException {
        connections++;
        SimulatedHost host = host(source.login().address());
        requireReachable(host);
        return new SimulatedConnection(host, this, time, connections);
    }

    @Override
    public SourceQueries queries(SourceHost source) {
        return new Queries(host(source.login().address()));
    }

    @Override
    public void killDump(SourceHost host, long connectionId) {}

    private final class Queries implements SourceQueries {
        private SimulatedHost host;

        Queries(SimulatedHost host) {
            this.host = host;
        }

        @Override
        public void moveTo(SourceHost source) {
            host = host(source.login().address());
        }

        @Override
        public @Nullable String createStatement(TableName table) throws IOException {
            requireReachable(host);
            for (SyntheticTable known : host.transactions().tables()) {
                if (known.schema().equals(table.schema()) && known.name().equals(table.table())) {
                    return known.createStatement();
                }
            }
            return null;
        }

        @Override
        public Map<TableName, String> createStatements(List<TableName> tables) throws IOException {
            Map<TableName, String> statements = new LinkedHashMap<>();
            for (TableName table : tables) {
                String statement = createStatement(table);
                if (statement != null) {
                    statements.put(table, statement);
                }
            }
            return statements;
        }

        /** No start needs them. */
        @Override
        public UnloggedCascades.Found unloggedCascades(TableFilter filter) throws IOException {
            throw new IOException("the server does not list its foreign keys");
        }

        @Override
        public List<TableName> tables(TableFilter filter) throws IOException {
            requireReachable(host);
            return host.transactions().tables().stream()
                    .filter(table -> filter.passes(table.schema(), table.name()))
                    .map(table -> new TableName(table.schema(), table.name()))
                    .toList();
        }

        @Override
        public String schemaCharset(String schema) throws IOException {
            requireReachable(host);
            return CHARSET;
        }

        @Override
        public Map<String, String> schemaCharsets() throws IOException {
            requireReachable(host);
            Map<String, String> charsets = new HashMap<>();
            host.transactions().tables().forEach(table -> charsets.put(table.schema(), CHARSET));
            return charsets;
        }

        @Override
        public BinlogPosition binlogEnd() throws IOException {
            requireReachable(host);
            return new BinlogPosition(host.binlog().newestFile(), host.binlog().end());
        }

        @Override
        public HiddenColumns hiddenColumns() {
            return HiddenColumns.NONE;
        }

        @Override
        public SourceTraits traits() {
            return new SourceTraits(
                    host.binlog().flavour().isMariaDb(), host.binlog().flavour().isMariaDb() ? 101106 : 80031, false);
        }

        @Override
        public @Nullable String variable(String name) throws IOException {
            requireReachable(host);
            return switch (name) {
                case "binlog_format" -> "ROW";
                case "binlog_row_image" -> "FULL";
                default -> null;
            };
        }

        @Override
        public void abort() {}

        @Override
        public void close() {}
    }
}
