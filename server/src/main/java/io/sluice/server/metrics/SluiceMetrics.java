package io.sluice.server.metrics;

import io.sluice.connector.api.deliver.SenderState;
import io.sluice.connector.api.deliver.SenderStatus;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.schema.ddl.catalog.SchemaCounts;
import io.sluice.server.alarm.AlarmCounts;
import io.sluice.server.control.Missing;
import io.sluice.server.health.InstanceHealth;
import io.sluice.server.health.Stage;
import io.sluice.server.health.Stall;
import io.sluice.server.instance.Instance;
import io.sluice.server.instance.InstanceState;
import io.sluice.server.tables.TableCounts;
import io.sluice.server.tables.TableTally;
import io.sluice.server.tcp.TcpServer;
import io.sluice.server.version.BuildVersion;
import io.sluice.store.ring.StoreStats;
import io.sluice.stream.source.watch.Lag;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The metrics that canal does not have. */
final class SluiceMetrics {
    private final Families families;

    SluiceMetrics(Families families) {
        this.families = families;
    }

    /** Adds which build this is. */
    void add(BuildVersion version) {
        families.info(
                "sluice_build",
                "The version of Sluice, the commit it was built from, and the Java it runs on.",
                "version",
                version.version(),
                "revision",
                version.commitText(),
                "java",
                BuildVersion.java());
    }

    /**
     * Adds the configured instances, whether each runs here, what an operator has set for it, and its health.
     *
     * @param here those that run here
     * @param health also of those that should run here and could not be made, or run on no server that is known
     */
    void add(List<DestinationStatus> destinations, List<Instance> here, List<InstanceHealth> health) {
        Set<String> running = here.stream().map(Instance::name).collect(Collectors.toSet());
        for (DestinationStatus status : destinations) {
            if (status.missing() == Missing.Reason.NOT_ENDED) {
                continue; // which is not to run anywhere
            }
            String name = status.destination();
            gauge(
                    "sluice_instance_here",
                    "Whether the instance runs on this server.",
                    flag(running.contains(name)),
                    name);
            add(status);
        }
        health.forEach(this::add);
    }

    private void add(DestinationStatus status) {
        String name = status.destination();
        gauge(
                "sluice_instance_paused",
                "Whether nothing is delivered until an operator resumes it.",
                flag(status.paused()),
                name);
        gauge("sluice_instance_stopped", "Whether an operator has stopped it here.", flag(status.stopped()), name);
        gauge(
                "sluice_instance_configuration_refused",
                "Whether its newest configuration is not in force.",
                flag(status.refused()),
                name);
        gauge(
                "sluice_instance_limit_rows_per_second",
                "The most rows it may deliver in a second; 0 for any number.",
                status.limits().rowsPerSecond(),
                name);
        gauge(
                "sluice_instance_limit_bytes_per_second",
                "The most bytes it may deliver in a second; 0 for any number.",
                status.limits().bytesPerSecond(),
                name);
    }

    private void add(InstanceHealth health) {
        String name = health.destination();
        gauge("sluice_instance_healthy", "Whether no action is needed.", flag(health.isWell()), name);
        for (InstanceState state : InstanceState.values()) {
            families.gauge(
                    "sluice_instance_state",
                    "1 for the state the instance is in.",
                    flag(health.state() == state),
                    "destination",
                    name,
                    "state",
                    spelling(state));
        }
        for (SourceFailure failure : SourceFailure.values()) {
            families.gauge(
                    "sluice_source_failing",
                    "1 for the failure that keeps the source from being read.",
                    flag(health.failure() == failure),
                    "destination",
                    name,
                    "failure",
                    failure.spelling());
        }
        Stall stall = health.stall();
        for (Stage stage : Stage.values()) {
            families.gauge(
                    "sluice_instance_stalled_seconds",
                    "For how long work has waited in a stage without progress; 0 while there is progress, or no work.",
                    stall != null && stall.stage() == stage ? seconds(stall.lasting()) : 0,
                    "destination",
                    name,
                    "stage",
                    stage.spelling());
        }
    }

    /** Adds those of an instance that runs here. */
    void add(Instance instance, StoreStats store) {
        String name = instance.name();
        Lag lag = instance.lag();
        if (lag.bytes() >= 0) {
            gauge("sluice_source_lag_bytes", "Binlog that the source has and that was not read.", lag.bytes(), name);
        }
        if (lag.seconds() >= 0) {
            gauge(
                    "sluice_source_lag_seconds",
                    "Age of the newest change that was read; 0 if all was.",
                    lag.seconds(),
                    name);
        }
        counter(
                "sluice_source_resets",
                "How often changes were lost since the binlog was gone.",
                instance.resets(),
                name);
        Map<SourceFailure, Long> failures = instance.sourceFailures();
        for (SourceFailure failure : SourceFailure.values()) { // with zeros, so that rate() sees the first one
            families.counter(
                    "sluice_source_failures",
                    "How often the source failed.",
                    failures.getOrDefault(failure, 0L),
                    "destination",
                    name,
                    "failure",
                    failure.spelling());
        }
        gauge(
                "sluice_source_xa_undecided_transactions",
                "XA transactions that are held back until they are committed or rolled back; the oldest holds the cursor.",
                instance.sourceProgress().undecidedTransactions(),
                name);
        counter(
                "sluice_source_rolled_back_deliveries",
                "How often rows were delivered that the source rolled back.",
                instance.sourceProgress().rolledBackDeliveries(),
                name);
        gauge(
                "sluice_source_spilled_bytes",
                "Bytes of a large transaction that were read and are in a file, until it ends or has been delivered.",
                instance.sourceProgress().spilledBytes(),
                name);
        SchemaCounts schema = instance.schemaCounts();
        if (schema != null) {
            add(name, schema);
        }
        gauge(
                "sluice_cursor_unwritten_seconds",
                "For how long the newest cursor could not be written; 0 if it is written.",
                seconds(instance.cursorUnwritten()),
                name);
        gauge(
                "sluice_store_entries",
                "Entries in the store.",
                store.put().entries() - store.acked().entries(),
                name);
        gauge(
                "sluice_store_bytes",
                "Bytes of entries in the store.",
                store.put().bytes() - store.acked().bytes(),
                name);
        gauge("sluice_store_capacity_entries", "Entries that the store can hold now.", store.capacityEntries(), name);
        gauge("sluice_store_capacity_bytes", "Bytes that the store can hold now.", store.capacityBytes(), name);
        instance.senderStatus().ifPresent(sender -> add(name, sender));
        add(name, instance.tables());
    }

    private void add(String name, TableTally tables) {
        if (tables.capacity() > 0) {
            tables.tables().forEach(table -> add(name, table));
            add(name, tables.others());
        }
    }

    private void add(String name, TableCounts table) {
        addRows(name, table, "insert", table.inserts());
        addRows(name, table, "update", table.updates());
        addRows(name, table, "delete", table.deletes());
        families.counter(
                "sluice_table_bytes",
                "Bytes of the entries of a table that were acked.",
                table.bytes(),
                "destination",
                name,
                "schema",
                table.schema(),
                "table",
                table.table());
    }

    private void addRows(String name, TableCounts table, String kind, long rows) {
        families.counter(
                "sluice_table_rows",
                "Rows of a table that were acked.",
                rows,
                "destination",
                name,
                "schema",
                table.schema(),
                "table",
                table.table(),
                "kind",
                kind);
    }

    private void add(String name, SchemaCounts schema) {
        counter(
                "sluice_source_changes_as_statements",
                "Changes that the source logged as statements, so that no rows of them are delivered.",
                schema.changesAsStatements(),
                name);
        counter(
                "sluice_schema_doubtful_statements",
                "Statements whose effect on table schemas could not be determined.",
                schema.doubtfulStatements(),
                name);
        counter(
                "sluice_schema_tables_asked",
                "How often the source was asked how a single table is defined.",
                schema.tablesAsked(),
                name);
        counter(
                "sluice_schema_tables_corrected",
                "How often a table schema was corrected by table maps.",
                schema.tablesCorrected(),
                name);
        counter(
                "sluice_schema_tables_held",
                "How often a table was found whose rows do not match its schema.",
                schema.tablesHeld(),
                name);
        counter(
                "sluice_schema_events_left_out",
                "Rows events that were left out for that.",
                schema.eventsLeftOut(),
                name);
    }

    private void add(String name, SenderStatus sender) {
        for (SenderState state : SenderState.values()) {
            families.gauge(
                    "sluice_sender_state",
                    "1 for the state the sender is in.",
                    flag(sender.state() == state),
                    "destination",
                    name,
                    "state",
                    spelling(state));
        }
        gauge("sluice_sender_batches_in_flight", "Batches that are not acked.", sender.batchesInFlight(), name);
        gauge(
                "sluice_sender_max_batches_in_flight",
                "How many batches may be taken and not acked, by the settings or by the time of the broker's answers.",
                sender.maxBatchesInFlight(),
                name);
        gauge(
                "sluice_sender_silence_seconds",
                "For how long the broker has not answered.",
                seconds(sender.silence()),
                name);
        gauge(
                "sluice_sender_pause_seconds",
                "The back-off after a failure that it is in.",
                seconds(sender.backOff()),
                name);
        gauge("sluice_sender_failures_in_a_row", "Failures since the last ack.", sender.failuresInARow(), name);
        counter("sluice_sender_batches", "Batches that the broker has confirmed.", sender.ackedBatches(), name);
        counter("sluice_sender_records", "Messages that the broker has confirmed.", sender.ackedMessages(), name);
        counter("sluice_sender_bytes", "Bytes of their values.", sender.ackedBytes(), name);
        counter("sluice_sender_failures", "Deliveries that failed.", sender.failures(), name);
        counter("sluice_sender_resent_records", "Messages that were sent once more.", sender.resentMessages(), name);
        counter(
                "sluice_sender_cut_records",
                "Messages that were cut since they were too large.",
                sender.splitMessages(),
                name);
        counter(
                "sluice_sender_skipped_records",
                "Messages that were rejected and skipped.",
                sender.skippedMessages(),
                name);
        counter(
                "sluice_sender_dead_letters",
                "Messages that were rejected and are in the dead-letter topic.",
                sender.deadLetters(),
                name);
    }

    /** Adds what is known of the port where clients pull. */
    void add(TcpServer port) {
        families.gauge("sluice_client_connections", "Connections of clients that pull.", port.connections());
        families.counter(
                "sluice_client_connections_refused",
                "Connections that were closed for what their clients did or did not do.",
                port.refusedConnections());
    }

    /** Adds whether nothing of the newest configuration is in force, or it cannot be read. */
    void addConfiguration(boolean isRefused) {
        families.gauge(
                "sluice_configuration_refused",
                "Whether nothing of the server's newest configuration is in force, or it cannot be read.",
                flag(isRefused));
    }

    /** Adds how many alarms were posted, and were not. */
    void add(AlarmCounts alarms) {
        families.counter("sluice_alarms_sent", "Alarms that a web hook has accepted.", alarms.sent());
        families.counter(
                "sluice_alarms_failed",
                "Alarms that a web hook has rejected, or for which it was unreachable for too long.",
                alarms.failed());
        families.counter(
                "sluice_alarms_dropped",
                "Alarms that were dropped, since too many waited for a web hook.",
                alarms.dropped());
    }

    private void gauge(String name, String help, Number value, String destination) {
        families.gauge(name, help, value, "destination", destination);
    }

    private void counter(String name, String help, Number value, String destination) {
        families.counter(name, help, value, "destination", destination);
    }

    private static double flag(boolean is) {
        return is ? 1 : 0;
    }

    private static double seconds(Duration time) {
        return time.toNanos() / 1e9;
    }

    private static String spelling(Enum<?> state) {
        return state.name().toLowerCase(Locale.ROOT);
    }
}
