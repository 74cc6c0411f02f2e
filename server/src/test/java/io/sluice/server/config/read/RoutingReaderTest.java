package io.sluice.server.config.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.connector.api.convert.DdlPartition;
import io.sluice.connector.api.convert.KeyChange;
import io.sluice.connector.api.route.Partitioning;
import io.sluice.connector.api.route.Route;
import io.sluice.connector.api.route.RuleTexts;
import io.sluice.connector.api.route.TopicPartitions;
import io.sluice.format.split.RowKey;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.instance.RoutingConfig;
import io.sluice.server.config.load.ConfigLoader;
import io.sluice.server.config.text.ConfigException;
import io.sluice.server.config.text.Environment;
import io.sluice.server.config.text.Warning;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The configuration of topics and partitions in an instance's files. */
class RoutingReaderTest {
    @TempDir
    Path home;

    private final Map<String, String> variables = new HashMap<>();
    private String server = "canal.serverMode = kafka\nkafka.bootstrap.servers = 127.0.0.1:9092\n";

    @Test
    void allKeysReachTheRules() throws Exception {
        server += "canal.mq.database.hash = false\n";
        RoutingConfig routing = routing("""
                canal.mq.topic = rest
                canal.mq.dynamicTopic = all:shop\\\\..*, .*\\\\..*
                canal.mq.partitionHash = .*\\\\..*:$pk$
                canal.mq.partitionsNum = 5
                canal.mq.dynamicTopicPartitionNum = all:3
                canal.mq.messageKey = shop\\\\..*:id^no
                canal.mq.keyChange = split
                canal.mq.ddl.partition = all
                """);

        assertThat(routing.rules().texts())
                .isEqualTo(new RuleTexts(
                        "rest",
                        0,
                        "all:shop\\..*, .*\\..*",
                        ".*\\..*:$pk$",
                        false,
                        OptionalInt.of(5),
                        "all:3",
                        false,
                        "shop\\..*:id^no"));
        assertThat(routing.keyChange()).isEqualTo(KeyChange.SPLIT);
        assertThat(routing.ddlPartition()).isEqualTo(DdlPartition.ALL);
        assertThat(routing.rules().router(TopicPartitions.UNKNOWN).route("shop", "orders"))
                .isEqualTo(
                        new Route("all", new Partitioning.ByKey(RowKey.PRIMARY, 0, 3), RowKey.of(List.of("id", "no"))));
    }

    @Test
    void placeholdersOfATemplateAreNotResolvedInTheFile() throws Exception {
        variables.put("stage", "live");
        String rules =
                "canal.mq.topic = rest\ncanal.mq.dynamicTopic = ${stage}_${schema}_${ table }${no.such}:.*\\\\..*\n";

        assertThat(routing(rules).rules().texts().topicRules()).isEqualTo("live_${schema}_${table}:.*\\..*");
    }

    @Test
    void anOwnKeyWithTheNameOfAPlaceholderIsUsed() throws Exception {
        String rules = "schema = depot\ncanal.mq.topic = rest\ncanal.mq.dynamicTopic = t:${schema}\\\\..*\n";

        assertThat(routing(rules).rules().texts().topicRules()).isEqualTo("t:depot\\..*");
    }

    @Test
    void aMisspeltPlaceholderOfATemplateIsReported() throws Exception {
        assertThat(warnings("canal.mq.topic = rest\ncanal.mq.dynamicTopic = x_${tabel}${gone:}_${schema}:shop\n"))
                .containsExactly(
                        "3: canal.mq.dynamicTopic: there is no key named tabel, so that ${tabel} is empty; names"
                                + " of tables are ${schema} and ${table}");
    }

    @Test
    void elsewhereAnUnknownPlaceholderIsEmpty() throws Exception {
        assertThat(routing("canal.mq.topic = rest${schema}\n").topic()).isEqualTo("rest");
    }

    @Test
    void rowsAreKeptAsValuesWhereTheyAreNeeded() throws Exception {
        server += "canal.mq.flatMessage = false\n";

        assertThat(load("canal.mq.topic = t\n").store().rawEntry()).isTrue();
        assertThat(load("canal.mq.topic = t\ncanal.mq.partitionHash = a.b:c\ncanal.mq.partitionsNum = 2\n")
                        .store()
                        .rawEntry())
                .isFalse();
        assertThat(load("canal.mq.topic = t\ncanal.mq.dynamicTopic = a.b\n")
                        .store()
                        .rawEntry())
                .isFalse();
        assertThat(load("canal.mq.topic = t\ncanal.mq.messageKey = pk\n")
                        .store()
                        .rawEntry())
                .isFalse();
    }

    @Test
    void allProblemsOfRulesAreReportedAtOnce() throws Exception {
        assertThat(problems("""
                canal.mq.topic = a topic
                canal.mq.dynamicTopic = t:a\\\\.(b,c d:e
                canal.mq.partitionHash = a.b:c^
                canal.mq.partitionsNum = 0
                canal.mq.dynamicTopicPartitionNum = t:many
                canal.mq.messageKey = key
                canal.mq.keyChange = perhaps
                canal.mq.ddl.partition = second
                """))
                .containsExactly(
                        "2: canal.mq.topic = a topic: the broker cannot have a topic named a topic: Kafka takes letters"
                                + " and digits of ASCII, '.', '_' and '-', at most 249, and neither '.' nor '..'",
                        "3: canal.mq.dynamicTopic = t:a\\.(b,c d:e: this '(' is never closed, in the rule t:a\\.(b, at"
                                + " column 6:",
                        "3: canal.mq.dynamicTopic = t:a\\.(b,c d:e: the broker cannot have a topic named c d: Kafka"
                                + " takes letters and digits of ASCII, '.', '_' and '-', at most 249, and neither '.' nor"
                                + " '..', in the rule c d:e",
                        "4: canal.mq.partitionHash = a.b:c^: a column has no name, in the rule a.b:c^, at column 7:",
                        "5: canal.mq.partitionsNum = 0: must be a whole number, at least 1",
                        "6: canal.mq.dynamicTopicPartitionNum = t:many: the number of partitions must be a whole number"
                                + " from 1 to 999999, in the rule t:many, at column 3:",
                        "7: canal.mq.messageKey = key: a rule of keys names columns, or $pk$, after a colon, in the"
                                + " rule key, at column 4:",
                        "8: canal.mq.keyChange = perhaps: must be one of keep, split",
                        "9: canal.mq.ddl.partition = second: must be one of first, all");
    }

    @Test
    void keysWithoutEffectAreReported() throws Exception {
        assertThat(warnings("""
                canal.mq.topic = t
                canal.mq.partitionsNum = 3
                canal.mq.dynamicTopicPartitionNum = t:3
                canal.mq.enableDynamicQueuePartition = true
                canal.mq.keyChange = split
                canal.mq.ddl.partition = all
                """))
                .containsExactly(
                        "3: canal.mq.partitionsNum: has no effect without canal.mq.partitionHash",
                        "4: canal.mq.dynamicTopicPartitionNum: has no effect without canal.mq.partitionHash",
                        "7: canal.mq.ddl.partition: has no effect without canal.mq.partitionHash",
                        "6: canal.mq.keyChange: has no effect without canal.mq.messageKey, or columns in"
                                + " canal.mq.partitionHash",
                        "5: canal.mq.enableDynamicQueuePartition: has no effect but with rocketMQ");
        assertThat(warnings("""
                canal.mq.topic = t
                canal.mq.partition = 2
                canal.mq.partitionHash = a.b:c, d.e:f
                """))
                .containsExactly(
                        "4: canal.mq.partitionHash: canal does not strip the blanks, so this rule has no effect there,"
                                + " in the rule d.e:f, at column 7:",
                        "3: canal.mq.partition: has no effect with canal.mq.partitionHash: what no rule is for goes to"
                                + " partition 0",
                        "4: canal.mq.partitionHash: spreads nothing: without canal.mq.partitionsNum everything goes to"
                                + " partition 0");
    }

    @Test
    void aKeyChangeIsReportedWhereRowsHaveNoKeysWhateverTopicsTheyGoTo() throws Exception {
        String topics = "canal.mq.topic = t\ncanal.mq.dynamicTopic = .*\\\\..*\ncanal.mq.keyChange = split\n";
        String without =
                "4: canal.mq.keyChange: has no effect without canal.mq.messageKey, or columns in canal.mq.partitionHash";

        assertThat(warnings(topics)).containsExactly(without);
        assertThat(warnings(topics + "canal.mq.partitionsNum = 3\ncanal.mq.partitionHash = .*\\\\..*\n"))
                .containsExactly(without);
        assertThat(warnings(topics + "canal.mq.partitionsNum = 3\ncanal.mq.partitionHash = .*\\\\..*:$pk$\n"))
                .isEmpty();
        assertThat(warnings(topics + "canal.mq.messageKey = pk\n")).isEmpty();
    }

    @Test
    void aBrokerWithoutPartitionsIsNotGivenAny() throws Exception {
        server = "canal.serverMode = rabbitMQ\nrabbitmq.host = 127.0.0.1\n";

        assertThat(routing("canal.mq.topic = t\ncanal.mq.partitionHash = a.b:c\n")
                        .rules()
                        .isFixed())
                .isTrue();
        assertThat(warnings("canal.mq.topic = t\ncanal.mq.partitionHash = a.b:c\n"))
                .containsExactly("3: canal.mq.partitionHash: has no effect: rabbitMQ has no partitions");
    }

    @Test
    void onlyRocketMqIsAskedForItsPartitions() throws Exception {
        String settings = """
                canal.mq.topic = t
                canal.mq.partitionHash = a.b:c
                canal.mq.enableDynamicQueuePartition = true
                """;
        assertThat(routing(settings).rules().texts().askBroker()).isFalse();

        server = "canal.serverMode = rocketMQ\nrocketmq.namesrv.addr = 127.0.0.1:9876\n";
        assertThat(routing(settings).rules().texts().askBroker()).isTrue();
        assertThat(warnings(settings)).isEmpty();
        assertThat(problems("canal.mq.topic = a.b\n").get(0)).contains("RocketMQ takes letters");
    }

    @Test
    void rulesHaveNoEffectForClientsThatPull() throws Exception {
        server = "canal.serverMode = tcp\ncanal.ip = 127.0.0.1\n";

        assertThat(routing("canal.mq.dynamicTopic = (\n").rules().isFixed()).isTrue();
    }

    private RoutingConfig routing(String settings) throws Exception {
        return load(settings).routing();
    }

    private InstanceConfig load(String settings) throws Exception {
        return configuration(settings).instances().get(0);
    }

    private List<String> warnings(String settings) throws Exception {
        return Warning.texts(configuration(settings).warnings()).stream()
                .map(this::shortened)
                .toList();
    }

    private List<String> problems(String settings) {
        return catchThrowableOfType(ConfigException.class, () -> configuration(settings)).problems().stream()
                .map(problem -> shortened(problem.toString()))
                .toList();
    }

    /** Without the file, and without the mark below the place. */
    private String shortened(String sentence) {
        return sentence.replace(home.resolve("conf/shop/instance.properties") + ":", "")
                .lines()
                .findFirst()
                .orElseThrow();
    }

    private Configuration configuration(String settings) throws IOException, ConfigException {
        Files.createDirectories(home.resolve("conf/shop"));
        Files.createDirectories(home.resolve("bin"));
        Files.writeString(home.resolve("conf/canal.properties"), server + "canal.destinations = shop\n");
        Files.writeString(
                home.resolve("conf/shop/instance.properties"), "canal.instance.master.address = db:3306\n" + settings);
        return ConfigLoader.load(
                home.resolve("conf/canal.properties"),
                home.resolve("bin"),
                new Environment(Map.of(), variables, (Inet4Address) InetAddress.getByName("10.0.0.1"), 2),
                ProducerCheck.NONE);
    }
}
