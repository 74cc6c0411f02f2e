package io.sluice.schema.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.ddl.catalog.SchemaState;
import io.sluice.schema.sql.SourceTraits;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TableTextTest {
    private static final TableName T = new TableName("shop", "t");

    private final SchemaTracker tracker = new SchemaTracker(table -> null);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "create table t (id INTEGER primary key, b INT(10) UNSIGNED ZEROFILL, c BOOL)",
                "create table t (a SERIAL, b NUMERIC(5), c DOUBLE PRECISION, d FLOAT(53), e FLOAT(7,3)) charset=gbk",
                "create table t (a enum('it''s', 'a\\\\b', 'x,y', '\\n', '\\%', \"q\\\"\"), b set('a','b')) charset latin1",
                "create table t (`we``ird` text charset gbk, `表` varchar(9) collate utf8mb4_bin, `ünï` json) charset=utf8mb4",
                "create table t (a char(3) binary, b varchar(4) charset binary, c blob, d text ascii, e text) charset binary",
                "create table t (a NATIONAL VARCHAR(4), b NCHAR(2), c LONG VARCHAR, d LONG VARBINARY) charset=utf8mb4",
                "create table t (b int, a int, c int, primary key (c, b)) default charset=utf8mb4",
                "create table t (a int primary key, b uuid, c inet6, d text compressed) with system versioning",
                "create table t (a timestamp(6) as row start, b timestamp(6) generated always as row end invisible, period for system_time (a, b)) with system versioning",
                "create table t (my_row_id bigint unsigned auto_increment invisible primary key, b int invisible, c int)",
                "create table t (id int, e date, s date, period for x (s, e), primary key (id, x without overlaps))",
                "create table t (a point not null srid 4326, b bit(5), c year(4), d datetime(6) default now(6))"
            })
    void readsBackAsTheSameSchema(String create) throws IOException {
        tracker.statements().apply(create, "shop");
        TableSchema before = tracker.catalog().table(T);
        assertThat(before).isNotNull();

        SchemaTracker other = new SchemaTracker(table -> null);
        other.catalog().restore(tracker.catalog().state());

        assertThat(other.catalog().table(T)).isEqualTo(before);
    }

    @Test
    void keepsTheVisibilityOfAKey() throws IOException {
        tracker.statements()
                .apply(
                        "create table t (my_row_id bigint unsigned auto_increment invisible primary key, b int)",
                        "shop");
        SchemaTracker other = new SchemaTracker(table -> null);
        other.catalog().restore(tracker.catalog().state());

        other.statements().apply("alter table t add c int first", "shop");
        assertThat(SchemaTexts.text(other.catalog().table(T))).isEqualTo("my_row_id* bigint unsigned, c int, b int");

        SchemaTracker older = new SchemaTracker(table -> null, new SourceTraits(false, 80029, false));
        older.catalog().restore(tracker.catalog().state());
        older.statements().apply("alter table t add c int first", "shop");
        assertThat(SchemaTexts.text(older.catalog().table(T))).isEqualTo("c int, my_row_id* bigint unsigned, b int");
    }

    @Test
    void keepsWhichColumnsMariaDbComputes() throws IOException {
        SourceTraits mariaDb = new SourceTraits(true, 110809, false);
        SchemaTracker before = new SchemaTracker(table -> null, mariaDb);
        before.statements()
                .apply(
                        "create table t (a int, b int as (a + 1) persistent, c varchar(9) generated always as (left('x,y)', a))"
                                + " virtual comment 'as (x)', d int default (1), e int check (e in (1, 2)))",
                        "shop");
        SchemaTracker other = new SchemaTracker(table -> null, mariaDb);
        other.catalog().restore(before.catalog().state());

        assertThat(other.catalog().table(T)).isEqualTo(before.catalog().table(T));
        assertThat(generated(other)).containsExactly("b", "c");
        other.statements()
                .apply("alter table t modify b int, rename column c to f, add g int as (d) stored first", "shop");
        assertThat(generated(other)).containsExactly("g", "f");

        tracker.statements().apply("create table t (a int, b int as (a + 1) stored)", "shop");
        assertThat(generated(tracker)).isEmpty();
    }

    private static List<String> generated(SchemaTracker tracker) throws IOException {
        return tracker.catalog().table(T).columns().stream()
                .filter(ColumnSchema::generated)
                .map(ColumnSchema::name)
                .toList();
    }

    @Test
    void keepsThePeriodOfAKey() throws IOException {
        SourceTraits mariaDb = new SourceTraits(true, 101118, false);
        SchemaTracker before = new SchemaTracker(table -> null, mariaDb);
        before.statements().apply("create table t (id int, s date, e date, period for p (s, e))", "shop");
        SchemaTracker other = new SchemaTracker(table -> null, mariaDb);
        other.catalog().restore(before.catalog().state());

        other.statements().apply("alter table t add primary key (id, p without overlaps)", "shop");
        assertThat(SchemaTexts.text(other.catalog().table(T))).isEqualTo("id* int, s* date, e* date");
    }

    @Test
    void storesRecheckReasonsAndSchemaCharsets() throws IOException {
        tracker.statements().apply("create database made charset gbk", "");
        tracker.statements().apply("create table if not exists t (a INT)", "shop");
        tracker.statements().apply("create table made.u (a char(1))", "");

        SchemaTracker other = new SchemaTracker(table -> "create table x (b int, c int)");
        other.catalog().restore(tracker.catalog().state());

        assertThat(other.catalog().state()).isEqualTo(tracker.catalog().state());
        assertThat(SchemaTexts.text(other.catalog().table(T))).isEqualTo("b int, c int");
        assertThat(other.catalog()
                        .table(new TableName("made", "u"))
                        .columns()
                        .get(0)
                        .charset())
                .isEqualTo("gbk");
    }

    @ParameterizedTest
    @ValueSource(strings = {";\n", "\n", ";", "\n\n;\n"})
    void readsConsecutiveStatements(String between) throws IOException {
        String text = String.join(
                between,
                "CREATE TABLE `a` (`id` int, `create table` int) COMMENT 'create table x (y int)'",
                "CREATE TABLE `shop`.`b` (`id` int, KEY `k` (`id`))",
                "create table other.c (d int)");

        tracker.catalog().restore(new SchemaState(Map.of("shop", text), Map.of()));

        assertThat(tracker.catalog().tables().schemas())
                .extracting(table -> table.name().toString())
                .containsExactlyInAnyOrder("shop.a", "shop.b", "other.c");
    }
}
