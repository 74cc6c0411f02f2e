package io.sluice.bench.latency;

import io.sluice.bench.e2e.Form;
import io.sluice.bench.e2e.PackagedServer;
import io.sluice.testkit.kafka.KafkaOptions;
import io.sluice.testkit.kafka.KafkaServer;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The program behind {@code latency.sh}. */
public final class LatencyBench {
    private LatencyBench() {}

    public static void main(String[] arguments) throws IOException, InterruptedException, SQLException {
        if (List.of(arguments).contains("--help")) {
            System.out.print(LatencyOptions.USAGE);
            return;
        }
        LatencyOptions options;
        try {
            options = LatencyOptions.parse(List.of(arguments));
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.err.print(LatencyOptions.USAGE);
            System.exit(2);
            return;
        }
        LatencyReport report = run(
                options,
                Path.of(System.getProperty("sluice.bench.folder")).resolve("work"),
                new PackagedServer(Path.of(System.getProperty("sluice.package")), options.settings()));
        System.out.println();
        System.out.print(report.table());
        if (options.json() != null) {
            report.writeJson(options.json());
        }
        System.exit(report.isComplete() ? 0 : 1);
    }

    private static LatencyReport run(LatencyOptions options, Path folder, PackagedServer server)
            throws IOException, InterruptedException, SQLException {
        List<Figures> figures = new ArrayList<>();
        // Nothing waits for a disk, as in the end-to-end bench: it is not the disk that is measured.
        MySqlOptions source = MySqlOptions.defaults()
                .with("innodb-buffer-pool-size", "256M")
                .with("innodb-flush-log-at-trx-commit", "0")
                .with("innodb-redo-log-capacity", "512M")
                .with("max-binlog-size", "1G");
        KafkaOptions broker = KafkaOptions.defaults().jvmOptions("-Xms512m", "-Xmx512m", "-XX:+UseSerialGC");
        try (KafkaServer kafka = KafkaServer.start(broker);
                MySqlServer mysql = MySqlServer.start(source)) {
            LatencyRun run = new LatencyRun(mysql, kafka, folder, options.connections());
            Runtime.getRuntime().addShutdownHook(new Thread(run::stop, "stop-bridge"));
            for (Form form : options.forms()) {
                figures.addAll(run.measure(server, form, options.warmUp(), options.loads()));
            }
        }
        return new LatencyReport(figures);
    }
}
