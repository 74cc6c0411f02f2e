package io.sluice.bench.micro;

import io.sluice.bench.workload.WorkloadKind;
import io.sluice.connector.api.convert.BatchConverter;
import io.sluice.connector.api.convert.ChangeHeaders;
import io.sluice.connector.api.convert.DdlPartition;
import io.sluice.connector.api.convert.KeyChange;
import io.sluice.connector.api.convert.MessageConverter;
import io.sluice.connector.api.convert.OutgoingMessage;
import io.sluice.connector.api.convert.PacketConverter;
import io.sluice.connector.api.convert.PacketStyle;
import io.sluice.connector.api.convert.Workspaces;
import io.sluice.connector.api.route.Router;
import io.sluice.connector.api.route.RoutingRules;
import io.sluice.connector.api.route.RuleTexts;
import io.sluice.format.entry.Entry;
import io.sluice.format.flat.FlatFormat;
import io.sluice.format.protobuf.ProtobufFormat;
import io.sluice.protocol.time.Time;
import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Converts entries with row images to messages: to one topic, to a topic for each table, and to 16 partitions by the hashes of
 * keys. An operation is a whole recorded binlog; see {@link RowCount} for rows.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms512m", "-Xmx512m", "-XX:+UseSerialGC"})
public class ConvertBench {
    private static final int MAX_PACKET_BYTES = 1 << 20;

    /** The routing of rows. */
    public enum Routing {
        ONE_PLACE,
        BY_TABLE,
        /** Hashed to the only partition: the cost of the hashes alone. */
        BY_KEY_TO_ONE,
        BY_KEY,
        BY_KEY_WITH_HEADERS
    }

    @Param({"MIXED", "BATCH"})
    public WorkloadKind workload = WorkloadKind.MIXED;

    @Param
    public Routing routing = Routing.ONE_PLACE;

    private List<List<Entry>> batches = List.of();

    @SuppressWarnings("NullAway.Init") // JMH calls prepare first
    private Recorded recorded;

    @SuppressWarnings("NullAway.Init")
    private BatchConverter flatConverter;

    @SuppressWarnings("NullAway.Init")
    private BatchConverter rawConverter;

    @Setup
    public void prepare() throws IOException, InterruptedException {
        recorded = Recorded.of(workload);
        batches = Recorded.batches(recorded.entries(null));
        boolean byKey = routing != Routing.ONE_PLACE && routing != Routing.BY_TABLE;
        Router router = RoutingRules.read(new RuleTexts(
                        "bench",
                        0,
                        routing == Routing.BY_TABLE ? ".*\\..*" : "",
                        byKey ? ".*\\..*:$pk$" : "",
                        true,
                        OptionalInt.of(routing == Routing.BY_KEY_TO_ONE ? 1 : 16),
                        "",
                        false,
                        ""))
                .router(topic -> OptionalInt.empty());
        ChangeHeaders headers = routing == Routing.BY_KEY_WITH_HEADERS ? ChangeHeaders.IDS : ChangeHeaders.NONE;
        Time clock = Time.SYSTEM;
        flatConverter = new MessageConverter(
                router, KeyChange.KEEP, DdlPartition.FIRST, headers, new Workspaces(new FlatFormat()), clock);
        rawConverter = new PacketConverter(
                router,
                KeyChange.KEEP,
                DdlPartition.FIRST,
                PacketStyle.PARSED_WITHOUT_BOUNDARIES,
                MAX_PACKET_BYTES,
                headers,
                new Workspaces(new ProtobufFormat()));
    }

    /** Flat JSON. */
    @Benchmark
    public long flat(RowCount count) {
        return convert(flatConverter, count);
    }

    /** Protobuf packets. */
    @Benchmark
    public long raw(RowCount count) {
        return convert(rawConverter, count);
    }

    private long convert(BatchConverter converter, RowCount count) {
        long bytes = 0;
        long id = 0;
        for (List<Entry> batch : batches) {
            for (OutgoingMessage next : converter.convert(++id, batch)) {
                bytes += next.message().value().length;
            }
        }
        count.rows += recorded.rows();
        return bytes;
    }
}
