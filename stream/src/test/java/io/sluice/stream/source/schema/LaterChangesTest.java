package io.sluice.stream.source.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.schema.ddl.catalog.SchemaRecorder;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.sql.SqlMode;
import io.sluice.schema.table.TableName;
import io.sluice.stream.source.OneBinlog;
import io.sluice.stream.source.search.ExecutedInPart;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticBinlog.Flavour;
import io.sluice.testkit.time.HandTime;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LaterChangesTest {
    private static final TableName ORDERS = new TableName("shop", "orders");

    private static final UUID SERVER = UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001");
    private static final ServerAddress ADDRESS = new ServerAddress("db", 3306);

    private final LaterChanges changes = new LaterChanges(SourceTraits.DEFAULT, ExecutedInPart.none());

    private void add(String... statements) {
        for (int i = 0; i < statements.length; i++) {
            changes.add(at(i), new SchemaRecorder.Ddl(statements[i], "shop", SqlMode.DEFAULT, List.of()));
        }
    }

    private static BinlogPosition at(long offset) {
        return new BinlogPosition("mysql-bin.000001", offset);
    }

    @Test
    void columnsThatAreAddedFromAPositionOn() {
        add(
                "ALTER TABLE orders DROP COLUMN z",
                "ALTER TABLE orders ADD a int",
                "ALTER TABLE orders ADD INDEX (a)",
                "ALTER TABLE Orders ADD b int, ADD c int",
                "DROP DATABASE elsewhere");

        assertThat(changes.addedFrom(at(0), ORDERS))
                .as("the first one drops a column")
                .isNull();
        assertThat(changes.addedFrom(at(1), ORDERS)).containsExactly("a", "b", "c");
        assertThat(changes.addedFrom(at(2), ORDERS)).containsExactly("b", "c");
        assertThat(changes.addedFrom(at(4), ORDERS)).isEmpty();
        assertThat(changes.addedFrom(at(4), new TableName("elsewhere", "t"))).isNull();
        assertThat(changes.addedFrom(at(5), new TableName("elsewhere", "t"))).isEmpty();
    }

    @Test
    void defaultsOfSchemasThatAreChangedFromAPositionOn() {
        add(
                "ALTER DATABASE shop CHARACTER SET latin1",
                "CREATE DATABASE IF NOT EXISTS shop CHARACTER SET cp1251",
                "ALTER DATABASE Elsewhere COLLATE latin1_bin",
                "DROP DATABASE elsewhere");

        assertThat(changes.changesDefault(at(0), "shop")).isTrue();
        assertThat(changes.changesDefault(at(1), "shop")).isFalse();
        assertThat(changes.changesDefault(at(3), "elsewhere")).isTrue();
        assertThat(changes.changesDefault(at(4), "elsewhere")).isFalse();
        assertThat(changes.changesDefault(at(0), "other")).isFalse();
    }

    @Test
    void whatWasCertainlyASequence() {
        assertThat(isSequence(true, "DROP SEQUENCE orders")).isTrue();
        assertThat(isSequence(false, "DROP SEQUENCE orders", "CREATE TABLE orders (a INT)"))
                .isTrue();
        assertThat(isSequence(true, "DROP SEQUENCE IF EXISTS other, orders")).isTrue();
        assertThat(isSequence(false, "DROP SEQUENCE IF EXISTS orders")).isFalse();
        assertThat(isSequence(false, "DROP SEQUENCE IF EXISTS orders", "CREATE SEQUENCE orders"))
                .isTrue();
        assertThat(isSequence(false, "DROP SEQUENCE IF EXISTS orders", "CREATE TABLE orders LIKE u"))
                .isTrue();
        assertThat(isSequence(false, "DROP SEQUENCE IF EXISTS orders", "CREATE OR REPLACE TABLE orders (a INT)"))
                .isFalse();
        assertThat(isSequence(false, "DROP SEQUENCE IF EXISTS orders", "CREATE TABLE IF NOT EXISTS orders (a INT)"))
                .isFalse();
        assertThat(isSequence(true, "DROP SEQUENCE IF EXISTS orders", "DROP TABLE orders"))
                .isFalse();
        assertThat(isSequence(true, "DROP SEQUENCE IF EXISTS orders", "RENAME TABLE orders TO o"))
                .isFalse();
        assertThat(isSequence(true, "DROP SEQUENCE IF EXISTS orders", "DROP DATABASE shop"))
                .isFalse();
        assertThat(isSequence(true, "DROP DATABASE shop", "DROP SEQUENCE orders"))
                .isFalse();
        assertThat(isSequence(true, "DROP SEQUENCE orders", "DROP DATABASE shop"))
                .isTrue();
        assertThat(isSequence(true, "DROP TABLE orders", "CREATE SEQUENCE orders", "DROP SEQUENCE orders"))
                .isFalse();
        assertThat(isSequence(true, "DROP SEQUENCE Orders", "DROP TABLE orders"))
                .isFalse();
        assertThat(isSequence(true)).isFalse();
    }

    private static boolean isSequence(boolean isGone, String... statements) {
        LaterChanges changes = new LaterChanges(new SourceTraits(true, 110800, false), ExecutedInPart.none());
        for (int i = 0; i < statements.length; i++) {
            changes.add(at(i), new SchemaRecorder.Ddl(statements[i], "shop", SqlMode.DEFAULT, List.of()));
        }
        return changes.wasSequence(at(0), ORDERS, isGone);
    }

    @Test
    void aStatementOfAFormThatIsNotKnownMayChangeEachTableThatItNames() throws IOException {
        SyntheticBinlog binlog = new SyntheticBinlog(Flavour.MYSQL_GTID, 7, SERVER, 1_700_000_000, false);
        transaction(binlog, "CREATE DATABASE shop");
        BinlogPosition begin = new BinlogPosition(binlog.newestFile(), binlog.end());
        transaction(binlog, "ALTER SPECIAL TABLE orders DROP COLUMN a");

        LaterChanges searched = search(binlog, begin, null);

        assertThat(searched.addedFrom(begin, ORDERS)).isNull();
        assertThat(begin.isBefore(searched.firstUnread(ORDERS))).isTrue();
        assertThat(searched.addedFrom(begin, new TableName("shop", "other"))).isEmpty();
    }

    /** As on a replica that has executed a later one before. */
    @Test
    void transactionsThatTheStreamDoesNotReadDoNotCount() throws IOException {
        SyntheticBinlog binlog = new SyntheticBinlog(Flavour.MYSQL_GTID, 7, SERVER, 1_700_000_000, false);
        BinlogPosition begin = new BinlogPosition(binlog.newestFile(), binlog.end());
        transaction(binlog, "ALTER TABLE orders ADD a int");
        transaction(binlog, "ALTER TABLE orders ADD b int");

        assertThat(search(binlog, begin, null).addedFrom(begin, ORDERS)).containsExactly("a", "b");
        assertThat(search(binlog, begin, GtidSet.parse(SERVER + ":1")).addedFrom(begin, ORDERS))
                .containsExactly("b");
    }

    private static void transaction(SyntheticBinlog binlog, String sql) {
        binlog.open(0);
        binlog.query("shop", sql);
        binlog.close();
    }

    private static LaterChanges search(SyntheticBinlog binlog, BinlogPosition begin, @Nullable GtidSet executed)
            throws IOException {
        OneBinlog source = new OneBinlog(ADDRESS, binlog);
        BinlogPosition end = new BinlogPosition(binlog.newestFile(), binlog.end());
        return LaterChanges.in(
                SearchedPart.between(begin, end, executed),
                SearchedBinlog.of(source),
                SourceTraits.DEFAULT,
                new HandTime(),
                reached -> {});
    }

    @Test
    void aTableThatIsMadeAgainIsAnotherOne() {
        add("CREATE TABLE orders (a int)", "RENAME TABLE orders TO former, other TO orders");

        assertThat(changes.addedFrom(at(0), ORDERS)).isNull();
        assertThat(changes.addedFrom(at(1), ORDERS)).isNull();
        assertThat(changes.addedFrom(at(1), new TableName("shop", "former"))).isNull();
    }

    @Test
    void aTableThatWasMadeDidNotExistBefore() {
        add("CREATE TABLE orders (a int)", "ALTER TABLE orders ADD b int", "DROP DATABASE shop");

        assertThat(changes.of(ORDERS)).isEqualTo(new LaterChanges.Change("mysql-bin.000001:0", true));
        assertThat(changes.of(new TableName("shop", "other")))
                .isEqualTo(new LaterChanges.Change("mysql-bin.000001:2", false));
        assertThat(changes.of(new TableName("other", "orders"))).isNull();
    }

    @Test
    void aTableThatWasMadeAgainAfterItsSchemaWasDroppedMayHaveHadOtherColumns() {
        add("DROP DATABASE shop", "CREATE DATABASE shop", "CREATE TABLE orders (a int)");

        assertThat(changes.of(ORDERS)).isEqualTo(new LaterChanges.Change("mysql-bin.000001:0", false));
    }

    @Test
    void aTableThatWasMadeUnlessItWasThereMayHaveHadOtherColumnsBeforeALaterChange() {
        add("CREATE TABLE IF NOT EXISTS orders (a int)");

        assertThat(changes.of(ORDERS)).isNull();

        add("CREATE TABLE IF NOT EXISTS orders (a int)", "ALTER TABLE ORDERS RENAME COLUMN a TO b");

        assertThat(changes.of(ORDERS)).isEqualTo(new LaterChanges.Change("mysql-bin.000001:1", false));
    }

    @Test
    void columnsThatAreAddedAreKnownUnlessAnythingElseHappens() {
        add(
                "ALTER TABLE orders ADD b int FIRST, ADD INDEX (b)",
                "CREATE INDEX i ON orders (a)",
                "ALTER TABLE orders ADD (c int, d int)");

        assertThat(changes.lifeOf(ORDERS).firstChange()).isEqualTo("mysql-bin.000001:0");
        assertThat(changes.lifeOf(ORDERS).added()).containsExactly("b", "c", "d");

        add("ALTER TABLE orders DROP COLUMN c");

        assertThat(changes.lifeOf(ORDERS).added()).isNull();
    }

    @Test
    void rowsBeforeAChangeCannotBeNamed() {
        add("ALTER TABLE orders DROP COLUMN a");
        changes.addRows(ORDERS, false);
        assertThat(changes.lifeOf(ORDERS).hasUnnamedRows()).isFalse();

        add("ALTER TABLE orders RENAME COLUMN b TO a");
        assertThat(changes.lifeOf(ORDERS).hasUnnamedRows()).isTrue();
    }

    @Test
    void rowsOfATableThatWasMadeCanBeNamed() {
        add("DROP DATABASE shop", "CREATE DATABASE shop", "CREATE TABLE orders (a int)");
        changes.addRows(ORDERS, false);
        add("ALTER TABLE orders DROP COLUMN a", "DROP DATABASE shop");

        assertThat(changes.lifeOf(ORDERS).hasUnnamedRows()).isFalse();
        assertThat(changes.lifeOf(ORDERS).added()).isNull();
    }

    @Test
    void rowsBeforeATableWasDroppedCannotBeNamed() {
        changes.addRows(ORDERS, false);
        add("DROP DATABASE shop", "CREATE DATABASE shop", "CREATE TABLE orders (a int)");

        assertThat(changes.lifeOf(ORDERS).hasUnnamedRows()).isTrue();
    }

    @Test
    void aTableWasNotThereIfItsFirstChangeIsThatAnotherIsRenamedToIt() {
        add("RENAME TABLE orders TO former, other TO orders", "ALTER TABLE former ADD b int");

        assertThat(changes.of(ORDERS)).isEqualTo(new LaterChanges.Change("mysql-bin.000001:0", false));
        assertThat(changes.of(new TableName("shop", "former")))
                .isEqualTo(new LaterChanges.Change("mysql-bin.000001:0", true));
        assertThat(changes.of(new TableName("shop", "other")))
                .isEqualTo(new LaterChanges.Change("mysql-bin.000001:0", false));
    }

    /** The source tells the columns that a template has now, not those that it had when it was copied. */
    @Test
    void rowsOfACopyCannotBeNamedIfItsOriginalIsChangedLater() {
        add("CREATE TABLE orders LIKE template");
        changes.addRows(ORDERS, false);
        assertThat(changes.lifeOf(ORDERS).hasUnnamedRows()).isFalse();

        add("ALTER TABLE template RENAME COLUMN a TO b, RENAME COLUMN b TO a");
        assertThat(changes.lifeOf(ORDERS).hasUnnamedRows()).isTrue();
    }

    @Test
    void rowsOfACopyOfATableThatWasMadeCanBeNamed() {
        add("CREATE TABLE template (a int)", "CREATE TABLE orders LIKE template");
        changes.addRows(ORDERS, false);
        add("ALTER TABLE template DROP COLUMN a", "ALTER TABLE orders DROP COLUMN a");

        assertThat(changes.lifeOf(ORDERS).hasUnnamedRows()).isFalse();
    }

    /** Where the columns of the other one are not told either. */
    @Test
    void rowsOfATableThatGotTheNameCannotBeNamedBeforeALaterChange() {
        add("RENAME TABLE staging.orders TO orders");
        changes.addRows(ORDERS, false);
        assertThat(changes.lifeOf(ORDERS).hasUnnamedRows()).isFalse();

        add("ALTER TABLE orders ADD x int AFTER a");
        assertThat(changes.of(ORDERS).created()).isTrue();
        assertThat(changes.hasUnnamedRows(ORDERS)).isTrue();
    }

    @Test
    void rowsOfATableThatWasMadeUnderAnotherNameCanBeNamed() {
        add("CREATE TABLE made (a int)", "RENAME TABLE orders TO former, made TO orders");
        changes.addRows(ORDERS, false);
        add("ALTER TABLE orders ADD x int AFTER a");

        assertThat(changes.hasUnnamedRows(ORDERS)).isFalse();
    }

    @Test
    void rowsOfATableThatGotTheNameOfOneThatWasMadeCannotBeNamedBeforeALaterChange() {
        add("CREATE TABLE orders (a int)", "RENAME TABLE orders TO former, other TO orders");
        changes.addRows(ORDERS, false);
        add("ALTER TABLE orders ADD x int AFTER a");

        assertThat(changes.hasUnnamedRows(ORDERS)).isTrue();
    }

    @Test
    void rowsOfATableThatAQueryMadeCannotBeNamedBeforeALaterChange() {
        add("CREATE TABLE orders AS SELECT * FROM other");
        changes.addRows(ORDERS, false);
        add("ALTER TABLE orders ADD x int AFTER a");

        assertThat(changes.hasUnnamedRows(ORDERS)).isTrue();
    }

    @Test
    void aTableThatIsReplacedWasThereBefore() {
        changes.addRows(ORDERS, false);
        add("CREATE OR REPLACE TABLE orders (a int)");

        assertThat(changes.of(ORDERS).created()).isFalse();
        assertThat(changes.hasUnnamedRows(ORDERS)).isTrue();
    }

    /** With binlog_row_metadata=FULL when they were written, whatever it is now. */
    @Test
    void rowsWhoseColumnsTheBinlogNamesNeedNoOtherNames() {
        changes.addRows(ORDERS, true);
        add("ALTER TABLE orders DROP COLUMN a");
        assertThat(changes.hasUnnamedRows(ORDERS)).isFalse();

        changes.addRows(ORDERS, false);
        add("ALTER TABLE orders DROP COLUMN b");
        assertThat(changes.hasUnnamedRows(ORDERS)).isTrue();
    }
}
