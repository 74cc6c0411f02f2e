package io.sluice.deployer;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.deployer.command.CommandContext;
import io.sluice.deployer.command.SluiceCommand;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.text.Environment;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An operator asks where tables go. */
class RouteCommandTest {
    @TempDir
    Path home;

    private String output = "";

    @BeforeEach
    void configure() throws IOException {
        Files.createDirectories(home.resolve("bin"));
        server("canal.serverMode = kafka\nkafka.bootstrap.servers = 127.0.0.1:9092\n");
        instance("canal.mq.topic = rest\n");
    }

    @Test
    void theRuleOfEachPartIsShown() throws IOException {
        instance("""
                canal.mq.topic = rest
                canal.mq.dynamicTopic = till\\\\..*, shop.${table}:shop\\\\..*
                canal.mq.partitionHash = shop.orders:id^no,.*\\\\..*:$pk$
                canal.mq.partitionsNum = 3
                canal.mq.dynamicTopicPartitionNum = shop_.*:4
                canal.mq.messageKey = pk
                canal.mq.ddl.partition = all
                """);

        assertThat(run("shop", "shop.Orders", "--row", "id=7,no", "--row", "ID=7"))
                .isZero();

        assertThat(output.lines().skip(1))
                .containsExactly(
                        "",
                        "shop.Orders",
                        "  topic  shop_orders",
                        "         canal.mq.dynamicTopic, column 11, shop.${table}:shop\\..*: matches the table shop.Orders; the rule"
                                + " is a template for the topic; '.' becomes '_'",
                        "  rows   partitions 0 to 3",
                        "         canal.mq.partitionHash, column 1, shop.orders:id^no: each row goes by the hash of id, no, which"
                                + " begins with that of the schema's name, 3529462",
                        "         how many: canal.mq.dynamicTopicPartitionNum, column 1, shop_.*:4: matches the topic shop_orders",
                        "         an update that changes the key: canal.mq.keyChange = keep",
                        "  DDL    partitions 0, 1, 2, 3",
                        "         canal.mq.ddl.partition = all",
                        "  key    canal.mq.messageKey: the primary key",
                        "  row    id=7,no: hash 3529409, partition 1",
                        "  row    ID=7: hash 3529462, partition 2",
                        "         without id, no, which counts as NULL does");
    }

    @Test
    void withoutRulesEverythingGoesToOnePlace() throws IOException {
        instance("canal.mq.topic = a.b\ncanal.mq.partition = 2\ncanal.instance.filter.regex = shop\\\\..*\n");

        assertThat(run("shop", "shop.orders", "till.sales", "shop")).isZero();

        assertThat(output.lines().skip(2))
                .containsExactly(
                        "shop.orders",
                        "  topic  a.b",
                        "         canal.mq.topic: there are no rules for topics",
                        "  rows   partition 2",
                        "         canal.mq.partition: there are no rules for partitions",
                        "  DDL    partition 2",
                        "         where everything goes",
                        "  key    none",
                        "",
                        "till.sales",
                        "  filter left out, so that nothing of what follows happens",
                        "         canal.instance.filter.regex: nothing in it matches",
                        "  topic  a.b",
                        "         canal.mq.topic: there are no rules for topics",
                        "  rows   partition 2",
                        "         canal.mq.partition: there are no rules for partitions",
                        "  DDL    partition 2",
                        "         where everything goes",
                        "  key    none",
                        "",
                        "shop: the schema as a whole; a table is written SCHEMA.TABLE",
                        "  topic  a.b",
                        "         canal.mq.topic: there are no rules for topics",
                        "  DDL    partition 2",
                        "         where everything goes",
                        "  key    none");
    }

    @Test
    void whatBelongsToNoTableStaysInTheFirstPartition() throws IOException {
        instance("""
                canal.mq.topic = rest
                canal.mq.partitionHash = .*\\\\..*:$pk$
                canal.mq.partitionsNum = 2
                canal.mq.ddl.partition = all
                """);

        assertThat(run("shop", "shop", "shop.orders")).isZero();

        assertThat(output.lines().filter(line -> line.startsWith("  DDL")))
                .containsExactly("  DDL    partition 0", "  DDL    partitions 0, 1");
    }

    /** Worked examples of what canal did. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                "mytest.user:id      ! true  ! id=1          ! -1059087345 ! 0",
                "mytest.user:id^name ! true  ! id=2,name=ann ! -1059133971 ! 0",
                "mytest.user:id^name ! true  ! id=3,name     ! -1059087347 ! 2",
                "mytest.user:ID      ! true  ! id=1          ! -1059087298 ! 1",
                "mytest.user:ID      ! false ! id=1          ! -1059087345 ! 0",
                "mytest.user:$pk$    ! true  ! id=1,name=tom ! -1059168931 ! 1",
            })
    void aRowsPartitionIsCanals(String rule, boolean flat, String row, int hash, int partition) throws IOException {
        server("canal.serverMode = kafka\nkafka.bootstrap.servers = k:9092\ncanal.mq.flatMessage = " + flat + "\n");
        instance("canal.mq.topic = t\ncanal.mq.partitionsNum = 3\ncanal.mq.partitionHash = " + rule + "\n");

        assertThat(run("shop", "mytest.user", "--row", row)).isZero();

        assertThat(output).contains("  row    " + row + ": hash " + hash + ", partition " + partition + "\n");
    }

    @Test
    void aTopicThatTheBrokerCannotHaveIsReported() throws IOException {
        instance("canal.mq.topic = rest\ncanal.mq.dynamicTopic = .*\\\\..*\n");

        assertThat(run("shop", "shop.订单")).isZero();

        assertThat(output)
                .contains("  topic  shop_订单\n", "but the broker cannot have such a topic: Kafka takes letters");
    }

    @Test
    void jsonHasTheSameContent() throws IOException {
        instance("canal.mq.topic = t\ncanal.mq.partitionsNum = 3\ncanal.mq.partitionHash = .*\\\\..*:$pk$\n");

        assertThat(run("--json", "shop", "shop.orders", "--row", "id=\"7\\,\"")).isZero();

        assertThat(output)
                .contains(
                        "\"topic\": \"t\"",
                        "\"partitioning\": \"key\"",
                        "\"seed\": 3529462",
                        "\"partitions\": 3",
                        "\"$pk$\"",
                        "\"rule\": \".*\\\\..*:$pk$\"",
                        "\"row\": \"id=\\\"7\\\\,\\\"\"",
                        "\"hash\": " + (3529462 ^ "\"7,\"".hashCode()))
                .doesNotContain("topicProblem\": \"K");
    }

    @Test
    void invalidArgumentsAreRejected() throws IOException {
        assertThat(run("shop")).isOne();
        assertThat(output).contains("a destination and at least one table are needed", "usage: sluice.sh route");
        assertThat(run("till", "a.b")).isOne();
        assertThat(output).contains("there is no destination till; the configuration has shop");
        assertThat(run("shop", "a.b", "--row", "=1")).isOne();
        assertThat(output).contains("a column has no name");
        assertThat(run("shop", "a.b", "--row")).isOne();
        assertThat(output).contains("--row needs a value");
        assertThat(run("shop", "a.b", "--rows")).isOne();
        assertThat(output).contains("there is no option --rows");
        server("canal.serverMode = tcp\ncanal.ip = 127.0.0.1\n");
        assertThat(run("shop", "a.b")).isOne();
        assertThat(output).contains("clients pull from this server");
    }

    @Test
    void rulesThatCannotBeReadAreListed() throws IOException {
        instance("canal.mq.topic = rest\ncanal.mq.dynamicTopic = t:a\\\\.(b,:c\n");

        assertThat(run("shop", "a.b")).isEqualTo(2);
        assertThat(output).contains("2 problems", "this '(' is never closed, in the rule t:a\\.(b, at column 6");
        assertThat(run("shop", "a.b", "--json")).isEqualTo(2);
        assertThat(output).contains("\"key\": \"canal.mq.dynamicTopic\"");
    }

    /** The server keeps one that runs running, too. */
    @Test
    void aMistakeOfAnotherInstanceIsANote() throws IOException {
        Files.writeString(
                home.resolve("conf/canal.properties"),
                "canal.serverMode = kafka\nkafka.bootstrap.servers = 127.0.0.1:9092\ncanal.destinations = shop,till,desk\n");
        for (String other : List.of("till", "desk")) {
            Files.createDirectories(home.resolve("conf/" + other));
            Files.writeString(
                    home.resolve("conf/" + other + "/instance.properties"),
                    "canal.instance.master.address = db2:3306\ncanal.mq.topic = rest\ncanal.instance.mysql.slaveId = 77\n");
        }
        String note = "warning: another instance has a problem: ";
        String problem = "canal.instance.mysql.slaveId = 77: is that of till and of desk";

        assertThat(run("shop", "a.b")).isZero();
        assertThat(output).containsOnlyOnce(note).contains(problem, "  topic  rest");
        assertThat(sluice("check", "--effective", "shop")).isZero();
        assertThat(output).contains(note, problem, "canal.mq.topic");

        assertThat(run("till", "a.b")).isEqualTo(2);
        assertThat(output).contains("1 problem:", problem).doesNotContain(note);
        assertThat(sluice("check", "--effective")).isEqualTo(2);
    }

    private void server(String settings) throws IOException {
        Files.createDirectories(home.resolve("conf"));
        Files.writeString(home.resolve("conf/canal.properties"), settings + "canal.destinations = shop\n");
    }

    private void instance(String settings) throws IOException {
        Files.createDirectories(home.resolve("conf/shop"));
        Files.writeString(
                home.resolve("conf/shop/instance.properties"), "canal.instance.master.address = db:3306\n" + settings);
    }

    private int run(String... arguments) {
        List<String> words = new ArrayList<>(List.of("route"));
        words.addAll(List.of(arguments));
        return sluice(words.toArray(String[]::new));
    }

    private int sluice(String... words) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        int code = SluiceCommand.run(
                List.of(words),
                new CommandContext(
                        home.resolve("conf/canal.properties"),
                        home.resolve("bin"),
                        home,
                        new Environment(Map.of(), Map.of(), (Inet4Address) InetAddress.getLoopbackAddress(), 2),
                        ProducerCheck.NONE,
                        mode -> Optional.empty(),
                        out,
                        out));
        output = bytes.toString(StandardCharsets.UTF_8);
        return code;
    }
}
