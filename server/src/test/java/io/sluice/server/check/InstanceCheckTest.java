package io.sluice.server.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.mysql.wire.error.ResultTooLargeException;
import io.sluice.schema.table.TableName;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.load.ConfigLoader;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.text.Environment;
import io.sluice.stream.source.schema.SourceCatalog;
import io.sluice.stream.source.schema.SourceCatalog.Column;
import io.sluice.stream.source.schema.SourceCatalog.Table;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InstanceCheckTest {
    private static final List<Table> TABLES = List.of(
            table("other", "log", "id", "line"),
            table("shop", "Orders", "id", "price"),
            table("shop", "people", "id", "name", "secret"),
            table("shop", "tmp_1", "id"));

    @TempDir
    Path home;

    @Test
    void reportsForEveryTableWhichRuleDecided() throws Exception {
        InstanceReport report = check(
                "canal.instance.filter.regex = shop\\\\..*\ncanal.instance.filter.black.regex = shop\\\\.tmp_.*\n");

        assertThat(report.tables())
                .extracting(TableReport::name, TableReport::delivered, TableReport::reason)
                .containsExactly(
                        row("other.log", false, "canal.instance.filter.regex: nothing in it matches"),
                        row("shop.Orders", true, "canal.instance.filter.regex: shop\\..*"),
                        row("shop.people", true, "canal.instance.filter.regex: shop\\..*"),
                        row("shop.tmp_1", false, "canal.instance.filter.black.regex: shop\\.tmp_.*"));
        assertThat(report.switches()).isEmpty();
        assertThat(report.notes()).isEmpty();
        assertThat(report.server()).isEqualTo("MySQL 8.0.31");
        assertThat(report.address()).isEqualTo("db:3306");
        assertThat(report.isComplete()).isTrue();
    }

    @Test
    void reportsWhichColumnsAreLeftOutAndByWhichRule() throws Exception {
        InstanceReport report = check("""
                canal.instance.filter.field = shop.orders:price
                canal.instance.filter.black.field = shop.people:SECRET
                """);

        assertThat(report.tables().get(1).columns()).containsExactly("price");
        assertThat(report.tables().get(1).leftOut()).containsExactly("id");
        assertThat(report.tables().get(1).columnsReason()).isEqualTo("canal.instance.filter.field");
        assertThat(report.tables().get(2).columns()).containsExactly("id", "name");
        assertThat(report.tables().get(2).leftOut()).containsExactly("secret");
        assertThat(report.tables().get(2).columnsReason()).isEqualTo("canal.instance.filter.black.field");
        assertThat(report.notes())
                .singleElement()
                .asString()
                .contains("leaves out id of the primary key of shop.orders");
    }

    @Test
    void reportsNamesThatDoNotExist() throws Exception {
        InstanceReport report = check("""
                canal.instance.filter.regex = shop\\\\.ordres,shop.people,gone\\\\..*
                canal.instance.filter.black.field = shop.people:sercet,shop.poeple:name
                """);

        assertThat(report.notes())
                .containsExactly(
                        "canal.instance.filter.regex names shop.ordres, but the source has no such table;"
                                + " did you mean shop.orders?",
                        "canal.instance.filter.regex: no table of the source matches gone\\..*",
                        "canal.instance.filter.black.field names the column sercet, which shop.people does not have;"
                                + " did you mean secret?",
                        "the columns of shop.poeple are chosen, but the source has no such table;"
                                + " did you mean shop.people?");
    }

    @Test
    void reportsTheSwitchesThatAreOn() throws Exception {
        InstanceReport report = check("""
                canal.instance.filter.dml.delete = true
                canal.instance.filter.query.ddl = true
                """);

        assertThat(report.switches())
                .containsExactly(
                        "no deleted rows (canal.instance.filter.dml.delete)",
                        "no statements, neither DDL nor DML (canal.instance.filter.query.ddl)");
    }

    /** The start stops at both, so a check that passes would be wrong. */
    @Test
    void reportsADamagedCursorAndASecondSchemaHistory() throws Exception {
        Path instance = Files.createDirectories(home.resolve("shop"));
        Files.writeString(instance.resolve("meta.dat"), "torn");
        Files.writeString(instance.resolve("h2.sqlite"), "rows");
        String settings = "canal.file.data.dir = " + home + "\n";
        assertThat(check(settings).obstacles())
                .singleElement()
                .asString()
                .contains("meta.dat cannot be used", "cursor set shop --time");
        assertThat(check(settings).isGood()).isFalse();

        Files.writeString(instance.resolve("h2.mv.db"), "rows");
        Files.delete(instance.resolve("meta.dat"));

        assertThat(check(settings).obstacles()).singleElement().asString().contains("two schema histories");
    }

    @Test
    void aSourceThatCannotBeReachedIsReported() throws Exception {
        Configuration configuration = load("canal.instance.dbPassword = hunter2\n", "127.0.0.1:1");

        InstanceReport report = InstanceCheck.check(
                configuration.server(), configuration.instances().get(0));

        assertThat(report.isComplete()).isFalse();
        assertThat(report.failure())
                .contains("127.0.0.1:1")
                .endsWith("; " + SourceFailure.UNREACHABLE.remedy())
                .doesNotContain("hunter2");
        assertThat(report.tables()).isEmpty();
    }

    @Test
    void theRemedyOfAResultThatIsTooLargeIsThereOnce() {
        ConnectOptions login = ConnectOptions.of(new ServerAddress("db", 3306), "reader", "");

        assertThat(InstanceCheck.failure(new ResultTooLargeException("too much", "raise SLUICE_TOOL_HEAP"), login))
                .isEqualTo("too much; raise SLUICE_TOOL_HEAP");
    }

    @Test
    void anExpressionThatIsTooExpensiveForATableIsReported() throws Exception {
        SourceCatalog catalog = new SourceCatalog(
                "MySQL",
                "FULL",
                false,
                List.of(new SourceCatalog.Table("shop", "_".repeat(64), List.of())),
                SourceCatalog.Cascades.NONE);
        Configuration loaded = load("canal.instance.filter.regex = .*_.*_.*_.*_.*_.*_x\n", "db:3306");

        InstanceReport report =
                InstanceCheck.check(loaded.server(), loaded.instances().get(0), catalog);

        assertThat(report.tables().get(0).delivered()).isFalse();
        assertThat(report.tables().get(0).reason())
                .startsWith("the instance stops here: it cannot be decided in a reasonable time whether shop.___")
                .contains(".*_.*_.*_x");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "canal.instance.filter.black.field = shop.people:secret",
                "canal.instance.filter.field = shop.people:id/name",
                "canal.instance.filter.regex = shop\\\\..*",
                "canal.instance.filter.black.regex = other\\\\..*",
            })
    void reportsThatTheTextsOfDmlHaveWhatIsLeftOut(String setting) throws Exception {
        assertThat(check(setting + "\n", "FULL", true).notes())
                .singleElement()
                .asString()
                .contains("texts of DML", "left out", "set canal.instance.filter.query.dml=true");

        assertThat(check(setting + "\n", "FULL", false).notes()).isEmpty();
        assertThat(check(setting + "\ncanal.instance.filter.query.dml = true\n", "FULL", true)
                        .notes())
                .isEmpty();
        assertThat(check(setting + "\ncanal.mq.format = debezium\n", "FULL", true)
                        .notes())
                .isEmpty();
    }

    @Test
    void reportsNoTextsOfDmlIfNothingIsLeftOut() throws Exception {
        assertThat(check("", "FULL", true).notes()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "canal.mq.flatMessage = true  | does not identify its row",
                "canal.mq.partitionHash = .*\\\\..*:$pk$ | the partition of an empty key",
                "canal.mq.partitionHash = .*\\\\..*:region | counts as NULL",
            })
    void reportsTheConsequenceOfPartialRowImages(String setting, String consequence) throws Exception {
        InstanceReport report = check(setting + "\n", "MINIMAL");

        assertThat(report.notes())
                .singleElement()
                .asString()
                .startsWith("the source has binlog_row_image=MINIMAL: ")
                .contains(consequence, "set binlog_row_image=FULL", "canal.instance.value.image.complete=true");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "canal.mq.flatMessage = true  | FULL",
                "canal.mq.flatMessage = true  | ''",
                "canal.mq.flatMessage = false | MINIMAL",
                "canal.instance.value.image.complete = true | MINIMAL",
            })
    void doesNotReportRowImagesThatAreNoProblem(String setting, String rowImage) throws Exception {
        assertThat(check(setting + "\n", rowImage).notes()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "canal.mq.partitionHash = .*\\\\..*:$pk$\ncanal.mq.partitionsNum = 3\ncanal.mq.dynamicTopic = .*\\\\..*",
                "canal.mq.partitionHash = shop\\\\..*:ID\ncanal.mq.partitionsNum = 3",
                "canal.mq.messageKey = pk\ncanal.mq.dynamicTopic = .*\\\\..*",
            })
    void reportsKeysOfWhichTheSourceTakesSeveralTextsForOne(String settings) throws Exception {
        List<Table> tables = List.of(
                table("shop", "people", "id:utf8mb4_0900_ai_ci", "name:utf8mb4_0900_ai_ci"),
                table("shop", "orders", "id:utf8mb4_bin"),
                table("shop", "items", "id", "name:utf8mb4_general_ci"));

        assertThat(check(settings + "\n", tables).notes())
                .singleElement()
                .asString()
                .contains(
                        "by shop.people.id (utf8mb4_0900_ai_ci), and its collation takes several spellings for one key");
    }

    @Test
    void reportsNoSuchKeysIfAllGoesToOnePartition() throws Exception {
        List<Table> tables = List.of(table("shop", "people", "id:utf8mb4_0900_ai_ci"));

        assertThat(check("canal.mq.partitionHash = .*\\\\..*:$pk$\ncanal.mq.partitionsNum = 1\n", tables)
                        .notes())
                .isEmpty();
    }

    @Test
    void reportsTopicsInWhichKeysOfSeveralTablesAreTheSame() throws Exception {
        List<Table> tables = List.of(
                table("shop", "a", "id"),
                table("shop", "b", "id"),
                table("shop", "unkeyed", "x"),
                table("till", "c", "id"));

        assertThat(check("canal.mq.messageKey = pk\ncanal.mq.dynamicTopic = .*\n", tables)
                        .notes())
                .singleElement()
                .asString()
                .contains("the topic shop has rows of shop.a, shop.b, and a key has neither the schema nor the table");
        assertThat(check("canal.mq.messageKey = pk\ncanal.mq.dynamicTopic = .*\\\\..*\n", tables)
                        .notes())
                .isEmpty();
        assertThat(check("canal.mq.messageKey = shop.a:id\n", tables).notes()).isEmpty();
        assertThat(check("canal.mq.messageKey = pk\ncanal.instance.filter.regex = shop\\\\.a\n", tables)
                        .notes())
                .isEmpty();
    }

    @Test
    void reportsTheTablesThatPassAndWhoseRowsForeignKeysChangeUnlogged() throws Exception {
        List<TableName> found = new ArrayList<>(List.of(new TableName("other", "hidden")));
        for (int i = 1; i <= 8; i++) {
            found.add(new TableName("shop", "child" + i));
        }
        SourceCatalog.Cascades cascades = new SourceCatalog.Cascades(found, "");

        assertThat(check("canal.instance.filter.regex = shop\\\\..*\n", cascades))
                .singleElement()
                .asString()
                .startsWith(
                        "foreign keys with CASCADE or SET NULL change rows of shop.child1, shop.child2, shop.child3,"
                                + " shop.child4, shop.child5 and 3 more, and the source does not log these changes");
        assertThat(check("canal.instance.filter.black.regex = .*\\\\.(hidden|child\\\\d)\n", cascades))
                .isEmpty();
        assertThat(check("", new SourceCatalog.Cascades(List.of(), "Read timed out")))
                .containsExactly(
                        "whether foreign keys change rows that the source does not log is not known: Read timed out");
    }

    private List<String> check(String settings, SourceCatalog.Cascades cascades) throws Exception {
        Configuration configuration = load(settings, "db:3306");
        return InstanceCheck.check(
                        configuration.server(),
                        configuration.instances().get(0),
                        new SourceCatalog("MySQL 8.0.31", "FULL", false, TABLES, cascades))
                .notes();
    }

    private InstanceReport check(String settings, List<Table> tables) throws Exception {
        Configuration configuration = load(settings, "db:3306");
        return InstanceCheck.check(
                configuration.server(),
                configuration.instances().get(0),
                new SourceCatalog("MySQL 8.0.31", "FULL", false, tables, SourceCatalog.Cascades.NONE));
    }

    private InstanceReport check(String filters) throws Exception {
        return check(filters, "FULL");
    }

    private InstanceReport check(String settings, String rowImage) throws Exception {
        return check(settings, rowImage, false);
    }

    private InstanceReport check(String settings, String rowImage, boolean textsBesideRows) throws Exception {
        Configuration configuration = load(settings, "db:3306");
        return InstanceCheck.check(
                configuration.server(),
                configuration.instances().get(0),
                new SourceCatalog("MySQL 8.0.31", rowImage, textsBesideRows, TABLES, SourceCatalog.Cascades.NONE));
    }

    private Configuration load(String settings, String address) throws Exception {
        Path file = home.resolve("canal.properties");
        Files.writeString(file, """
                canal.serverMode = kafka
                canal.destinations = shop
                canal.mq.topic = shop
                kafka.bootstrap.servers = 127.0.0.1:9092
                """ + "canal.instance.master.address = " + address + "\n" + settings);
        Environment environment = new Environment(
                Map.of(), Map.of(), (Inet4Address) InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 2);
        return ConfigLoader.load(file, home, environment, ProducerCheck.NONE);
    }

    private static Tuple row(Object... cells) {
        return tuple(cells);
    }

    private static Table table(String schema, String table, String... columns) {
        List<Column> all = new ArrayList<>();
        for (String column : columns) {
            String[] nameAndCollation = column.split(":", -1);
            String collation = nameAndCollation.length > 1 ? nameAndCollation[1] : "";
            all.add(new Column(nameAndCollation[0], nameAndCollation[0].equals("id"), collation));
        }
        return new Table(schema, table, all);
    }
}
