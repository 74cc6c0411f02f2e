package io.sluice.deployer.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.deployer.e2e.SoakTables.Table;
import io.sluice.deployer.e2e.SoakTables.Version;
import io.sluice.testkit.process.Folders;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Two servers share an instance for minutes or hours, while rows and schemas change without a pause and everything fails now and then. At every checkpoint what
 * was delivered must be what the tables hold, in order, under the right names and without gaps.
 *
 * <p>The tables have keys of one column or several, of all types that keys have, or none; rows move to other keys, transactions are held open while other
 * schemas change, and by some seeds the source has a replica that takes its place.
 *
 * <p>{@code -Dsluice.soak.minutes=60} makes it longer, {@code -Dsluice.soak.seed=7} begins with that seed, which also chooses the source and the format, and {@code
 * -Dsluice.soak.runs=12} has so many seeds one after the other. A failure leaves the logs of the servers and what was delivered in {@code deployer/target/soak}.
 */
@Tag("thorough")
@Timeout(36_000)
class SoakIT {
    private static final Logger LOG = LoggerFactory.getLogger(SoakIT.class);
    private static final Duration LENGTH = Duration.ofMinutes(Integer.getInteger("sluice.soak.minutes", 3));
    private static final Duration CHECKPOINT = Duration.ofSeconds(Integer.getInteger("sluice.soak.checkpoint", 90));
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final int MAX_SHOWN = 20;
    private static final int SHORTEST_BEGINNING = 12;
    private static final Pattern QUOTED = Pattern.compile("`([^`\\n]+)`");
    private static final Pattern NOTABLE = Pattern.compile("^\\S+ \\S+ \\[.*?] (WARN|ERROR) +(?!o\\.a\\.)\\S+ - (.*)$");

    static Stream<Long> seeds() {
        long first = Long.getLong("sluice.soak.seed", 1);
        return LongStream.range(first, first + Long.getLong("sluice.soak.runs", 1))
                .boxed();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void nothingIsLostReorderedOrMislabelled(long seed) throws Exception {
        SoakCluster.Kind kind = SoakCluster.Kind.of(seed);
        Random random = new Random(seed);
        List<String> struck = new ArrayList<>();
        Path evidence = Files.createDirectories(
                Path.of("target", "soak", Long.toString(seed)).toAbsolutePath());
        try (SoakCluster cluster = new SoakCluster(kind);
                PrintWriter copy = new PrintWriter(Files.newBufferedWriter(evidence.resolve("delivered.txt")))) {
            SoakWriter writer = new SoakWriter(cluster::source, kind, seed, Duration.ofMillis(25));
            SoakLedger ledger = new SoakLedger(writer.versions(), writer.ofXa(), kind, copy);
            cluster.writing = writer.lock().writeLock();
            writer.create();
            cluster.members().forEach(member -> member.server().start());
            AtomicBoolean isOver = new AtomicBoolean();
            List<CompletableFuture<Void>> reading = kind.topicNames().stream()
                    .map(topic -> CompletableFuture.runAsync(
                            () -> cluster.kafka.read(topic, ledger::read, isOver::get, Duration.ofHours(10)),
                            SoakIT::start))
                    .toList();
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> reading.stream().anyMatch(CompletableFuture::isDone) || !ledger.isEmpty());
            List<CompletableFuture<Void>> writing = writer.writers().stream()
                    .map(next -> CompletableFuture.runAsync(next, SoakIT::start))
                    .toList();
            try {
                long end = System.nanoTime() + LENGTH.toNanos();
                while (System.nanoTime() < end) {
                    long checkpoint = Math.min(end, System.nanoTime() + CHECKPOINT.toNanos());
                    while (System.nanoTime() < checkpoint) {
                        assertThat(ledger.problems()).isEmpty();
                        assertThat(reading).allSatisfy(next -> assertThat(next).isNotDone());
                        SoakFault fault = SoakFault.any(cluster, random);
                        struck.add(fault.name());
                        LOG.warn("seed={} fault={} epoch={} {}", seed, fault, cluster.owner.epoch(), ledger);
                        fault.strike(cluster, random);
                        LockSupport.parkNanos(
                                Duration.ofMillis(random.nextInt(6_000)).toNanos());
                    }
                    writer.whileQuiet((marks, tables) -> check(cluster, writer, ledger, marks, tables));
                    assertThat(writing).allSatisfy(next -> assertThat(next).isNotDone());
                }
                writer.end();
                writing.forEach(CompletableFuture::join);
                assertThat(unexplained(cluster)).isEmpty();
                LOG.warn("seed={} {} {} {} {}", seed, kind, struck, ledger, writer.done());
            } catch (Throwable e) {
                keep(cluster, evidence);
                throw new AssertionError(
                        "seed %d, %s, struck %s, %s, %s".formatted(seed, kind, struck, ledger, writer.done()), e);
            } finally {
                writer.end();
                isOver.set(true);
                reading.forEach(next -> next.exceptionally(failure -> null).join());
            }
        }
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "soak");
        thread.setDaemon(true);
        thread.start();
    }

    /** Nothing is written meanwhile. */
    private static void check(
            SoakCluster cluster, SoakWriter writer, SoakLedger ledger, List<String> marks, List<Table> tables)
            throws SQLException {
        try {
            Awaitility.await().atMost(PATIENCE).until(() -> ledger.hasAll(marks));
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(
                    "the newest changes have not come: " + ledger + " " + ledger.problems() + "\n" + cluster.logs(), e);
        }
        ledger.settle();
        List<String> problems = new ArrayList<>(ledger.problems());
        problems.addAll(some(
                "committed and not delivered: ",
                ledger.missing(writer.committed()).stream()
                        .map(writer::described)
                        .toList()));
        problems.addAll(some("delivered and not committed: ", ledger.beyond(writer.committed())));
        try (Connection connection = cluster.source().connect()) {
            for (Table table : tables) {
                compare(connection, table.version(), writer, ledger, problems);
            }
        }
        assertThat(problems).isEmpty();
        Awaitility.await()
                .alias("both servers are healthy")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(cluster.members())
                        .extracting(member -> member.server().health())
                        .allSatisfy(health -> assertThat(health).contains("\"status\":\"up\""))
                        .satisfiesOnlyOnce(health -> assertThat(health).contains("\"state\":\"running\"")));
    }

    private static List<String> some(String what, List<String> names) {
        return names.isEmpty()
                ? List.of()
                : List.of(what + names.size() + ", "
                        + names.stream().sorted().limit(MAX_SHOWN).toList());
    }

    private static void compare(
            Connection connection, Version version, SoakWriter writer, SoakLedger ledger, List<String> problems)
            throws SQLException {
        Set<Long> there = new HashSet<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT %s FROM %s"
                        .formatted(
                                version.names().stream().map(SoakTables::quoted).collect(Collectors.joining(", ")),
                                version.fullName()))) {
            while (rows.next()) {
                List<@Nullable String> values = new ArrayList<>();
                for (int i = 1; i <= version.columns().size(); i++) {
                    values.add(rows.getString(i));
                }
                long id = rows.getLong(SoakTables.ID);
                there.add(id);
                List<@Nullable String> delivered = ledger.row(id, version);
                if (!values.equals(delivered)) {
                    problems.add("%s has %s, delivered is %s".formatted(version.fullName(), values, delivered));
                }
            }
        }
        problems.addAll(some(
                version.fullName() + " does not have rows that were delivered: ",
                ledger.ids(version.table()).stream()
                        .filter(id -> !there.contains(id) && !writer.truncated().contains(id))
                        .map(String::valueOf)
                        .toList()));
    }

    private static String page(String name) throws IOException {
        return Files.readString(Path.of("..", "docs", name));
    }

    /** Warnings and errors of the servers, not those of libraries, that neither the runbook nor the page of log messages has. */
    private static Set<String> unexplained(SoakCluster cluster) throws IOException {
        List<String> explained = new ArrayList<>();
        Matcher quoted = QUOTED.matcher(page("runbook.md") + page("log-messages.md"));
        while (quoted.find()) {
            if (quoted.group(1).length() >= SHORTEST_BEGINNING) {
                explained.add(quoted.group(1));
            }
        }
        Set<String> unexplained = new TreeSet<>();
        for (Member member : cluster.members()) {
            try (Stream<Path> files = Files.walk(member.server().home().resolve("logs"))) {
                for (Path file :
                        files.filter(path -> path.toString().endsWith(".log")).toList()) {
                    for (String line : new String(Files.readAllBytes(file), StandardCharsets.UTF_8)
                            .lines()
                            .toList()) {
                        Matcher notable = NOTABLE.matcher(line);
                        if (notable.matches() && explained.stream().noneMatch(notable.group(2)::startsWith)) {
                            unexplained.add(line);
                        }
                    }
                }
            }
        }
        return unexplained;
    }

    private static void keep(SoakCluster cluster, Path evidence) throws IOException {
        int number = 0;
        for (Member member : cluster.members()) {
            Path to = evidence.resolve("logs-" + ++number);
            Folders.delete(to);
            Folders.copy(member.server().home().resolve("logs"), to);
        }
    }
}
