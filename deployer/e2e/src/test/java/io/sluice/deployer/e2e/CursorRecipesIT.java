package io.sluice.deployer.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.Folders;
import io.sluice.testkit.process.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The commands of {@code docs/positions.md} for a purged binlog and other cases work as they are printed there. */
@Timeout(600)
class CursorRecipesIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Path PAGE = Path.of("../docs/positions.md");

    private PackagedServer server;

    @Test
    void aPurgedInstanceAmongOthersContinues() throws Exception {
        try (MySqlServer mysql = source();
                PackagedServer started = server(mysql)) {
            server = started;
            Folders.copy(server.instanceFolder(), server.home().resolve("conf/till"));
            server.configureServer("canal.destinations", "shop,till");
            ask(0, "token", "add", "ops", "--role", "administrator", "--save");
            server.startToRead();
            await().atMost(PATIENCE).until(() -> server.logLinesOf("till", "reading the binlog: instance=till") > 0);
            insert(mysql, 1);
            await().atMost(PATIENCE).until(() -> printed(1) == 2);

            ask(0, "stop", "shop");
            purge(mysql, 2, 3);
            await().atMost(PATIENCE).until(() -> printed(3) == 1);
            ask(0, "start", "shop");
            await().atMost(PATIENCE)
                    .until(() -> server.ask("status", "shop").output().contains("failed"));
            assertThat(ask(1, "cursor", "set", "shop", "--to", "oldest"))
                    .contains("stop it first (bin/sluice.sh stop shop)", "--restart");

            List<String> recipe = commands("A purged binlog");
            assertThat(recipe.get(1)).endsWith("--to oldest --restart");
            run(recipe.get(1));
            await().atMost(PATIENCE).until(() -> printed(3) == 2);
            assertThat(printed(2)).isEqualTo(1); // the gap

            List<String> ofNewHistory = commands("A new history of the source");
            assertThat(ofNewHistory).hasSize(3);
            assertThat(ofNewHistory.get(0)).contains("--gtid"); // without a domain of MariaDB that was deleted
            ofNewHistory.subList(1, 3).forEach(this::run);
            assertThat(ask(0, "cursor", "show", "shop")).contains("no client has subscribed", "not running");
            run("bin/sluice.sh cursor restore shop");
            run("bin/sluice.sh start shop");
            assertThat(ask(0, "cursor", "show", "shop")).contains("client 1001", "running: process " + server.pid());
            assertThat(ask(0, "cursor", "delete", "shop", "--restart", "--dry-run"))
                    .contains("deleted: client 1001");
            runUntilItReads("bin/sluice.sh cursor restore shop --restart"); // to no client
            insert(mysql, 4);
            await().atMost(PATIENCE).until(() -> printed(4) == 2);
            runUntilItReads("bin/sluice.sh cursor delete shop --client 1001 --restart");
            insert(mysql, 5);
            await().atMost(PATIENCE).until(() -> printed(5) == 2);
        }
    }

    @Test
    void aServerThatHasEndedSinceItsOnlyInstanceIsPurgedContinues() throws Exception {
        try (MySqlServer mysql = source();
                PackagedServer started = server(mysql)) {
            server = started;
            server.startToRead();
            insert(mysql, 1);
            await().atMost(PATIENCE).until(() -> printed(1) == 1);
            server.stop();
            purge(mysql, 2, 3);
            server.tryToStart();
            await().atMost(PATIENCE).until(() -> !server.isRunning());

            List<String> recipe = commands("A purged binlog");
            assertThat(recipe).hasSize(5);
            assertThat(recipe.get(4)).endsWith(":4 --restart"); // of a lost end
            assertThat(ask(0, "cursor", "set", "shop", "--to", "oldest", "--dry-run"))
                    .contains("SKIPPED, never sent: all from ");
            recipe.subList(2, 4).forEach(this::run);

            await().atMost(PATIENCE).until(() -> printed(3) == 1);
            assertThat(printed(2)).isZero(); // the gap
        }
    }

    /** With a schema history, its file would show the second server first. */
    @Test
    void aSecondServerWithTheSameCursorsIsRejected() throws Exception {
        try (MySqlServer mysql = source();
                PackagedServer started = server(mysql);
                PackagedServer second = server(mysql)) {
            server = started;
            server.startToRead();
            for (PackagedServer one : List.of(server, second)) {
                one.configureServer(
                        "canal.file.data.dir", server.home().resolve("conf").toString());
                one.configure("canal.instance.tsdb.enable", "false");
            }

            PackagedServer.Outcome refused = second.tryToStart();

            assertThat(refused.exitCode()).as(refused.output()).isOne();
            assertThat(refused.output())
                    .contains("is in use by an instance shop of process " + server.pid())
                    .contains("meta.dat.lock")
                    .contains("stop the other one, or set a canal.file.data.dir of its own");
            insert(mysql, 1);
            await().atMost(PATIENCE).until(() -> printed(1) == 1);
            server.stop();
            second.start();
        }
    }

    private static MySqlServer source() {
        MySqlServer mysql = MySqlServer.start();
        Pipeline.allow(mysql);
        mysql.execute("create database shop", "create table shop.orders (id int primary key)");
        return mysql;
    }

    private static void insert(MySqlServer mysql, int id) {
        mysql.execute("insert into shop.orders values (" + id + ")");
    }

    /** Inserts a row, deletes the binlog that has it, and inserts another one. */
    private void purge(MySqlServer mysql, int lost, int kept) {
        insert(mysql, lost);
        BinlogEnd end = mysql.rotateBinlog();
        insert(mysql, kept);
        await().atMost(PATIENCE).until(() -> {
            mysql.execute("purge binary logs to '" + end.file() + "'"); // which leaves files that are being read
            return end.file().equals(mysql.query("show binary logs"));
        });
    }

    /** The commands in the blocks of a section, in their order. */
    private static List<String> commands(String section) throws IOException {
        String page = Files.readString(PAGE);
        int begin = page.indexOf("\n## " + section + "\n");
        assertThat(begin).isPositive();
        int end = page.indexOf("\n## ", begin + 1);
        return page.substring(begin, end)
                .lines()
                .filter(line -> line.matches(" +bin/.*"))
                .map(String::strip)
                .toList();
    }

    private void run(String command) {
        List<String> words = List.of(command.split(" "));
        if (words.equals(List.of("bin/startup.sh"))) {
            server.start();
        } else {
            assertThat(words.get(0)).isEqualTo("bin/sluice.sh");
            ask(0, words.subList(1, words.size()).toArray(String[]::new));
        }
    }

    /** Without a cursor it begins where the binlog ends then. */
    private void runUntilItReads(String command) {
        long before = server.logLinesWith("reading the binlog: instance=shop");
        run(command);
        await().atMost(PATIENCE).until(() -> server.logLinesWith("reading the binlog: instance=shop") > before);
    }

    private String ask(int exitCode, String... arguments) {
        PackagedServer.Outcome outcome = server.ask(arguments);
        assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(exitCode);
        return outcome.output();
    }

    /** How many instances have delivered a row. */
    private long printed(int id) throws IOException {
        return server.printedLines().stream()
                .filter(line -> line.contains("\"id\":\"" + id + "\""))
                .count();
    }

    private static PackagedServer server(MySqlServer mysql) {
        return new PackagedServer(
                "shop",
                Map.of("canal.serverMode", "stdout", "canal.control.port", Integer.toString(FreePorts.next())),
                Map.of(
                        "canal.instance.master.address",
                        mysql.host() + ":" + mysql.port(),
                        "canal.instance.dbUsername",
                        Pipeline.USER,
                        "canal.instance.dbPassword",
                        Pipeline.PASSWORD,
                        "canal.instance.filter.regex",
                        "shop\\\\..*",
                        "canal.mq.topic",
                        "any"));
    }
}
