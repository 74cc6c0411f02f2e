package io.sluice.bench.e2e;

import io.sluice.bench.workload.RecordedBinlog;
import io.sluice.bench.workload.Tables;
import io.sluice.bench.workload.Workload;
import io.sluice.bench.workload.WorkloadKind;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.Commands;
import io.sluice.testkit.process.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The program behind {@code pull.sh}: how fast one client gets the changes that it pulls. */
public final class PullBench {
    private static final Logger LOG = LoggerFactory.getLogger(PullBench.class);

    private final Path folder;
    private final Path archive;
    private final int batchSize;

    /** Who pulls, and what of it. */
    private enum Client {
        /** canal's published client, which parses the rows, too. */
        CANAL,
        /** canal's published client; the rows stay bytes. */
        ENTRIES,
        /** One that looks at nothing. */
        BARE
    }

    /** What came of one run; rows are those of the workload. */
    private record Figures(long rows, long batches, long millis, double cpuSeconds, long peakBytes) {
        long rowsPerSecond() {
            return rows * 1000 / Math.max(1, millis);
        }
    }

    private PullBench(Path folder, Path archive, int batchSize) {
        this.folder = folder;
        this.archive = archive;
        this.batchSize = batchSize;
    }

    /** Arguments: runs, size of a batch, and rows, where 0 are as many as usual. */
    public static void main(String[] args) throws IOException {
        int runs = Integer.parseInt(args[0]);
        long rows = Long.parseLong(args[2]);
        PullBench bench = new PullBench(
                Path.of(System.getProperty("sluice.bench.folder")),
                Path.of(System.getProperty("sluice.package")),
                Integer.parseInt(args[1]));
        System.out.println(
                "| workload | client | rows/s | server CPU s per million rows | server's peak memory | batches |");
        System.out.println("|---|---|---|---|---|---|");
        for (WorkloadKind kind : WorkloadKind.values()) {
            Workload workload = new Workload(kind, rows == 0 ? kind.usualRows() : rows, 1);
            RecordedBinlog binlog =
                    RecordedBinlog.of(workload, Files.createDirectories(bench.folder.resolve("workloads")));
            try (MySqlServer mysql = binlog.startServer()) {
                for (Client client : Client.values()) {
                    List<Figures> figures = new ArrayList<>();
                    for (int i = 0; i < runs; i++) {
                        figures.add(bench.run(mysql, binlog, client));
                        LOG.info("{} {}: {}", workload.name(), client, figures.get(i));
                    }
                    print(workload, client, figures);
                }
            }
        }
        System.exit(0);
    }

    private Figures run(MySqlServer mysql, RecordedBinlog binlog, Client client) throws IOException {
        try (PullServer server = new PullServer(archive, folder.resolve("work").resolve("pull"), mysql, binlog)) {
            long pid = server.start();
            Commands.Outcome outcome = Commands.run(folder, Map.of(), command(client, server.port()));
            if (!outcome.isSuccess()) {
                throw new IllegalStateException(
                        "the client failed: %s%nthe server:%n%s".formatted(outcome.output(), server.complaints()));
            }
            String[] answer = outcome.output()
                    .strip()
                    .lines()
                    .reduce((one, other) -> other)
                    .orElseThrow()
                    .split(" ");
            long expected = binlog.totals().rows();
            long counted = Long.parseLong(answer[0]);
            if (client == Client.CANAL && counted != expected + 1) {
                throw new IllegalStateException("%d rows came, not %d and the last".formatted(counted, expected));
            }
            ProcessUsage usage = new ProcessUsage(pid);
            return new Figures(
                    expected,
                    Long.parseLong(answer[2]),
                    Long.parseLong(answer[3]),
                    usage.cpuSeconds(),
                    usage.peakBytes());
        }
    }

    private List<String> command(Client client, int port) {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx512m"));
        if (client == Client.BARE) {
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), BarePuller.class.getName()));
        } else {
            Path home = Folders.servers().resolve("canal-client");
            command.addAll(List.of(
                    "-cp",
                    home.resolve("classes") + ":" + home.resolve("lib") + "/*",
                    "io.sluice.testkit.canalclient.RateClient"));
        }
        command.addAll(List.of(
                Integer.toString(port), PullServer.DESTINATION, Integer.toString(batchSize), Tables.MARKER_WORD));
        command.add(Boolean.toString(client == Client.CANAL));
        return command;
    }

    private static void print(Workload workload, Client client, List<Figures> figures) {
        List<Figures> byRate = figures.stream()
                .sorted((one, other) -> Long.compare(one.rowsPerSecond(), other.rowsPerSecond()))
                .toList();
        Figures median = byRate.get(byRate.size() / 2);
        System.out.printf(
                Locale.ROOT,
                "| %s | %s | %,d (%,d–%,d) | %.1f | %d MiB | %,d |%n",
                workload.name(),
                client.name().toLowerCase(Locale.ROOT),
                median.rowsPerSecond(),
                byRate.get(0).rowsPerSecond(),
                byRate.get(byRate.size() - 1).rowsPerSecond(),
                median.cpuSeconds() * 1e6 / median.rows(),
                median.peakBytes() >> 20,
                median.batches());
    }
}
