package io.sluice.server.metrics;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.sluice.server.instance.Instance;
import io.sluice.server.tcp.ClientCounts;
import io.sluice.store.ring.BatchMode;
import io.sluice.store.ring.StoreStats;
import io.sluice.stream.source.SourceProgress;
import java.time.Duration;

/** The metrics of canal, with its names, labels and units, for dashboards and alerts that were made for it. */
final class CanalMetrics {
    private final Families families;
    private final long nowMillis;

    /** Makes them for one scrape. */
    CanalMetrics(Families families, long nowMillis) {
        this.families = families;
        this.nowMillis = nowMillis;
    }

    /** Adds those of an instance. */
    void add(Instance instance, StoreStats store) {
        String name = instance.name();
        families.gauge("canal_instance", "Instances that run here.", 1, "destination", name, "mode", "spring");
        gauge(
                "canal_instance_subscriptions",
                "Clients with a cursor; a sender is one.",
                instance.subscriptions(),
                name);
        addReading(instance, store);
        addStore(instance, store);
    }

    private void addReading(Instance instance, StoreStats store) {
        String name = instance.name();
        SourceProgress read = instance.sourceProgress();
        Delays delays = Delays.of(
                instance.lag(), instance.lastEventMillis(), read.chunks() > 0, store, instance.madeMillis(), nowMillis);
        gauge("canal_instance_traffic_delay", "Age of what was not read yet, in milliseconds.", delays.traffic(), name);
        gauge("canal_instance_put_delay", "Age of what is not in the store yet, in milliseconds.", delays.put(), name);
        gauge("canal_instance_get_delay", "Age of what was not handed out yet, in milliseconds.", delays.get(), name);
        gauge("canal_instance_ack_delay", "Age of what is not acked yet, in milliseconds.", delays.ack(), name);
        sum("canal_instance_transactions", "Transactions that were read to their end.", read.transactions(), name);
        families.canalCounter(
                "canal_instance_received_binlog_bytes",
                "Bytes of events that came from the source.",
                read.receivedBytes(),
                "destination",
                name,
                "parser",
                "0");
        families.gauge(
                "canal_instance_parser_mode",
                "The value of canal.instance.parser.parallel.",
                1,
                "destination",
                name,
                "parallel",
                Boolean.toString(instance.parsesInParallel()));
        if (instance.parsesInParallel()) {
            families.canalCounter(
                    "canal_instance_publish_blocking_time",
                    "Milliseconds that the reader waited for encoders.",
                    millis(read.waited()),
                    "destination",
                    name,
                    "parser",
                    "0");
        }
        sum(
                "canal_instance_sink_blocking_time",
                "Milliseconds without room in the store.",
                millis(store.waited()),
                name);
    }

    private void addStore(Instance instance, StoreStats store) {
        String name = instance.name();
        BatchMode mode = instance.storeConfig().batchMode();
        families.gauge(
                "canal_instance_store",
                "The store.",
                1,
                "destination",
                name,
                "batchMode",
                mode.name(),
                "size",
                Integer.toString(store.config().slots()));
        sum(
                "canal_instance_store_produce_seq",
                "Number of the newest entry, from 0.",
                store.put().entries() - 1,
                name);
        sum(
                "canal_instance_store_consume_seq",
                "Number of the newest entry that was acked, from 0.",
                store.acked().entries() - 1,
                name);
        if (mode == BatchMode.MEMSIZE) {
            sum(
                    "canal_instance_store_produce_mem",
                    "Bytes put into the store.",
                    store.put().bytes(),
                    name);
            sum(
                    "canal_instance_store_consume_mem",
                    "Bytes acked.",
                    store.acked().bytes(),
                    name);
        }
        sum("canal_instance_put_rows", "Rows put into the store.", store.put().rows(), name);
        sum("canal_instance_get_rows", "Rows handed out.", store.got().rows(), name);
        sum("canal_instance_ack_rows", "Rows acked.", store.acked().rows(), name);
    }

    /** Adds what clients that pull asked for and got. */
    void add(ClientCounts clients) {
        clients.all().forEach((name, counts) -> {
            counts.packets()
                    .forEach((type, count) -> families.canalCounter(
                            "canal_instance_client_packets",
                            "Requests that were answered, but for gets of nothing.",
                            count,
                            "destination",
                            name,
                            "packetType",
                            type));
            counts.errors()
                    .forEach((code, count) -> families.canalCounter(
                            "canal_instance_client_request_error",
                            "Requests that were answered by an error.",
                            count,
                            "destination",
                            name,
                            "errorCode",
                            Integer.toString(code)));
            sum("canal_instance_client_bytes", "Bytes of answers.", counts.bytes(), name);
            sum(
                    "canal_instance_client_empty_batches",
                    "Gets that were answered by nothing.",
                    counts.emptyBatches(),
                    name);
            ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
            counts.latencies().forEach(buckets::bucket);
            families.histogram(
                    "canal_instance_client_request_latency",
                    "Milliseconds from a request to its answer, a get's wait included.",
                    HistogramDataPointSnapshot.builder()
                            .classicHistogramBuckets(buckets.build())
                            .sum(counts.latencySumMillis()),
                    "destination",
                    name);
        });
    }

    private void gauge(String name, String help, Number value, String destination) {
        families.gauge(name, help, value, "destination", destination);
    }

    private void sum(String name, String help, Number value, String destination) {
        families.canalCounter(name, help, value, "destination", destination);
    }

    private static double millis(Duration time) {
        return time.toNanos() / 1e6;
    }
}
