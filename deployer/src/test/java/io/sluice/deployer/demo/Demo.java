package io.sluice.deployer.demo;

import io.sluice.testkit.kafka.KafkaServer;
import io.sluice.testkit.process.Commands;
import io.sluice.testkit.process.FreePorts;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Shows changes on their way: starts a MySQL and a Kafka, the packaged server between them, makes some changes, and
 * prints what arrives. {@code demo.sh} builds and calls it, and cleans up after it.
 */
public final class Demo {
    private static final String TOPIC = "sluice_demo";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Less than a script may take. */
    private static final String START_SECONDS = "150";

    /** A statement, and the type of the message that it must lead to. */
    private record Change(String sql, String type) {}

    private static final List<Change> CHANGES = List.of(
            new Change(
                    "create table orders (id int primary key, item varchar(40), price decimal(8,2), ordered datetime)",
                    "CREATE"),
            new Change(
                    "insert into orders values (1, 'green tea', 12.50, '2026-01-05 10:30:00'), (2, 'cup', 8.00, null)",
                    "INSERT"),
            new Change("update orders set price = price * 0.9 where item = 'green tea'", "UPDATE"),
            new Change("delete from orders where id = 2", "DELETE"));

    private final DemoOptions options;
    private final Path home;
    private final Path archive;
    private final Path adminHome;
    private final Path adminArchive;
    private final AdminPages pages;
    private final Paint paint;
    private final PrintStream out;
    private final int metricsPort = FreePorts.next();
    private final int controlPort = FreePorts.next();
    private final MessagePrinter printer;
    private final Deque<ConsumerRecord<byte[], byte[]>> received = new ArrayDeque<>();
    private String token = "";

    private Demo(DemoOptions options, List<Path> places, PrintStream out) {
        this.options = options;
        this.home = places.get(0);
        this.archive = places.get(1);
        this.adminHome = places.get(2);
        this.adminArchive = places.get(3);
        this.pages = new AdminPages(adminHome);
        this.out = out;
        this.paint = new Paint(options.colour());
        this.printer = new MessagePrinter(options.form(), paint);
    }

    /**
     * Runs it.
     *
     * @param args an empty directory for the server, and the package; the same for the admin server
     */
    public static void main(String[] args) throws Exception {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        Demo demo = new Demo(
                DemoOptions.of(System.getenv()), Stream.of(args).map(Path::of).toList(), out);
        try {
            demo.run();
        } catch (DemoException | SQLException e) {
            out.println(demo.paint.bad(String.valueOf(e.getMessage())));
            System.exit(1);
        }
    }

    private void run() throws Exception {
        String what = options.ownServer().isPresent() ? "a Kafka" : "a MySQL and a Kafka";
        out.println("Starting " + what + ", real and gone when this ends…");
        ExecutorService starters = Executors.newFixedThreadPool(2);
        Future<Source> mysql = starters.submit((Callable<Source>) () ->
                options.ownServer().isPresent() ? Source.of(options.ownServer().get()) : Source.started());
        Future<KafkaServer> broker = starters.submit((Callable<KafkaServer>) KafkaServer::start);
        starters.shutdown();
        try (Source source = result(mysql);
                KafkaServer kafka = result(broker)) {
            out.println(paint.good("✓") + " MySQL " + source.version() + " and Kafka at " + kafka.bootstrapServers());
            kafka.createTopic(TOPIC, 1);
            source.createSchema();
            startServer(source, kafka);
            startAdmin();
            try (KafkaConsumer<byte[], byte[]> consumer = consumer(kafka)) {
                show(source, consumer);
            }
            stop(pages.stop(), adminHome);
            stop(new ProcessBuilder(home.resolve("bin/stop.sh").toString()), home);
        }
    }

    private void startServer(Source source, KafkaServer kafka) throws IOException, SQLException {
        Commands.require(home, Map.of(), List.of("tar", "xzf", archive.toString(), "-C", home.toString()));
        Path instance = Files.createDirectories(home.resolve("conf/shop"));
        Files.writeString(home.resolve("conf/canal.properties"), """
                canal.serverMode = kafka
                canal.destinations = shop
                canal.metrics.pull.port = %d
                canal.control.port = %d
                canal.mq.flatMessage = %s
                kafka.bootstrap.servers = %s
                """.formatted(
                        metricsPort, controlPort, options.form() != Form.RAW, kafka.bootstrapServers()));
        Files.writeString(
                instance.resolve("instance.properties"), source.settings() + "canal.mq.topic = " + TOPIC + "\n");
        out.println("Starting the server that this build has packaged…");
        ProcessBuilder command =
                new ProcessBuilder(home.resolve("bin/startup.sh").toString());
        command.environment().put("canal.instance.dbPassword", source.password());
        command.environment().put("SLUICE_CLASS_ARCHIVE", "off");
        command.environment().put("SLUICE_START_SECONDS", START_SECONDS);
        command.environment().merge("JAVA_OPTS", "-Xms128m -Xmx512m", (given, ours) -> ours + " " + given);
        token = token();
        out.println(paint.good("✓") + " " + run(command, home).strip());
    }

    /** Makes a token of the control API, which is open when there is one. */
    private String token() throws IOException {
        ProcessBuilder command = new ProcessBuilder(
                home.resolve("bin/sluice.sh").toString(), "token", "add", "demo", "--role", "administrator");
        return Stream.of(run(command, home).split("\\s+"))
                .filter(word -> word.startsWith("sluice_"))
                .findFirst()
                .orElseThrow(() -> new DemoException("sluice.sh token add has printed no token"));
    }

    private void startAdmin() throws IOException, InterruptedException {
        Commands.require(
                adminHome, Map.of(), List.of("tar", "xzf", adminArchive.toString(), "-C", adminHome.toString()));
        ProcessBuilder command = pages.startup();
        command.environment().put("JAVA_OPTS", "-Xmx256m -XX:TieredStopAtLevel=1");
        command.environment().put("SLUICE_START_SECONDS", START_SECONDS);
        run(command, adminHome);
        pages.add(controlPort, token);
        out.println(paint.good("✓") + " The admin server runs, and shows this server.");
    }

    /** Runs a script to its end, and returns what it has printed. */
    private String run(ProcessBuilder command, Path folder) throws IOException {
        Path words = folder.resolve("script.txt");
        command.environment().put("JAVA_HOME", System.getProperty("java.home", ""));
        int code = exitCode(command.redirectErrorStream(true).redirectOutput(words.toFile()));
        if (code != 0) {
            throw new DemoException(Files.readString(words) + String.join(" ", command.command()) + " ended with "
                    + code + ". The logs say:\n" + logs());
        }
        return Files.readString(words);
    }

    private static void stop(ProcessBuilder script, Path folder) throws IOException {
        exitCode(script.redirectErrorStream(true)
                .redirectOutput(folder.resolve("stop.txt").toFile()));
    }

    private void show(Source source, KafkaConsumer<byte[], byte[]> consumer) throws Exception {
        for (Change change : CHANGES) {
            out.println();
            out.println(paint.prompt("mysql> ") + change.sql() + ";");
            source.execute(change.sql());
            awaitType(consumer, change.type());
        }
        out.println();
        awaitPages();
        if (options.once()) {
            out.println(
                    paint.good("✓") + " Every change has arrived in Kafka, and the pages of the admin server show it.");
            return;
        }
        String user = options.ownServer().map(DemoOptions.OwnServer::user).orElse("root");
        out.println("Now it is your turn: what you change shows up here, and in the browser.");
        out.println("  to see it             " + paint.bold(pages.url()) + "   (user " + pages.user() + ", password "
                + pages.password() + ")");
        out.println("  to change something   " + paint.bold(source.clientCommand(user)));
        out.println("  the server's log      " + paint.bold("tail -f " + home.resolve("logs/shop/shop.log")));
        out.println("  its health            " + paint.bold("curl http://127.0.0.1:" + metricsPort + "/health")
                + "   (and /metrics)");
        out.println("  to end                " + paint.bold("Ctrl-C"));
        out.println();
        while (true) {
            printNext(consumer, Duration.ofSeconds(1));
        }
    }

    private void awaitPages() throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!pages.showsRows()) {
            if (System.nanoTime() > end) {
                throw new DemoException("The admin server does not show the instance. The logs say:\n" + logs());
            }
            TimeUnit.MILLISECONDS.sleep(200);
        }
    }

    /** Prints messages until one of a type has come. */
    private void awaitType(KafkaConsumer<byte[], byte[]> consumer, String type) throws IOException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            if (printNext(consumer, Duration.ofMillis(200)).contains(type)) {
                return;
            }
            if (System.nanoTime() > end) {
                throw new DemoException(
                        "No message of type %s has arrived within %d seconds. The server's log says:%n%s"
                                .formatted(type, PATIENCE.toSeconds(), logs()));
            }
        }
    }

    /** Prints the next message, if one comes in time, and gives what it does. */
    private Set<String> printNext(KafkaConsumer<byte[], byte[]> consumer, Duration atMost) {
        if (received.isEmpty()) {
            consumer.poll(atMost).forEach(received::add);
        }
        ConsumerRecord<byte[], byte[]> next = received.poll();
        if (next == null) {
            return Set.of();
        }
        MessagePrinter.Shown shown = printer.show(next.value());
        shown.lines().forEach(out::println);
        return shown.types();
    }

    private String logs() throws IOException {
        StringBuilder text = new StringBuilder();
        for (String name : List.of(
                "server/logs/canal/canal.log",
                "server/logs/shop/shop.log",
                "server/logs/canal/canal_stdout.log",
                "admin/logs/admin.log")) {
            Path log = home.resolveSibling(name);
            if (Files.isReadable(log)) {
                List<String> lines = Files.readAllLines(log);
                lines.subList(Math.max(0, lines.size() - 30), lines.size())
                        .forEach(line -> text.append(line).append('\n'));
            }
        }
        return text.toString();
    }

    private static KafkaConsumer<byte[], byte[]> consumer(KafkaServer kafka) {
        KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers(), "auto.offset.reset", "earliest"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        consumer.assign(List.of(new TopicPartition(TOPIC, 0)));
        return consumer;
    }

    private static int exitCode(ProcessBuilder command) throws IOException {
        Process process = command.start();
        try {
            if (!process.waitFor(3, TimeUnit.MINUTES)) {
                process.destroyForcibly();
                throw new DemoException("this did not end: " + String.join(" ", command.command()));
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DemoException("interrupted");
        }
    }

    private static <T> T result(Future<T> future) throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw new DemoException(String.valueOf(e.getCause()));
        }
    }

    /** The demo cannot continue; the message is for its user. */
    private static final class DemoException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        DemoException(String message) {
            super(message);
        }
    }
}
