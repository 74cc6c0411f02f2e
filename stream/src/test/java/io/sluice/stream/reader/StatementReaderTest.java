package io.sluice.stream.reader;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.LogFile;
import io.sluice.format.entry.StatementEntry;
import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.binlog.EventHeader;
import io.sluice.mysql.binlog.QueryEvent;
import io.sluice.mysql.transaction.TransactionTracker.Step;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.position.SourceServer;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.table.TableName;
import io.sluice.stream.event.Event;
import io.sluice.stream.options.Omitted;
import io.sluice.stream.options.StreamOptions;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatementReaderTest {
    private static final LogFile FILE = new LogFile(SourceServer.at("localhost", 3306), "binlog.000001");
    private static final Event EVENT = new Event(FILE);
    private static final int UTF8_COLLATION = 45;
    private static final int BINARY_COLLATION = 63;
    private static final int SJIS_COLLATION = 13;
    private static final int LATIN1_COLLATION = 8;
    private static final int CP1251_COLLATION = 51;
    private static final StreamOptions AS_CANAL = StreamOptions.DEFAULT;
    private static final StreamOptions BY_BEGINNINGS = AS_CANAL.withParsedStatements(false);

    private final SchemaTracker tracker = new SchemaTracker(name -> null);

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            nullValues = "-",
            value = {
                "CREATE TABLE in_a (id int)                           ; CREATE",
                "CREATE TABLE a (id int)                              ; -",
                "DROP TABLE a, in_b                                   ; ERASE",
                "DROP TABLE a, in_not                                 ; -",
                "RENAME TABLE in_a TO a                               ; RENAME",
                "RENAME TABLE a TO in_a                               ; RENAME",
                "RENAME TABLE in_not TO a                             ; RENAME",
                "RENAME TABLE a TO b                                  ; -",
                "ALTER TABLE a RENAME TO in_a                         ; RENAME",
                "TRUNCATE in_not                                      ; -",
                "CREATE DATABASE x                                    ; QUERY",
                "REPAIR TABLE a                                       ; QUERY",
                "ALTER TABLE in_not DEFAULT CHARSET = utf8mb4         ; -",
                "ALTER TABLE in_a DEFAULT CHARSET = utf8mb4           ; ALTER",
                "CREATE TABLE in_not (a CHAR(3) BYTE)                 ; -",
                "CREATE TABLE a (a CHAR(3) BYTE)                      ; -",
                "CREATE TABLE in_a (a CHAR(3) BYTE)                   ; QUERY",
                "ALTER TABLE a ADD c CHAR(3) BYTE, RENAME TO in_a     ; QUERY",
                "INSERT INTO a VALUES (1)                             ; INSERT",
            })
    void tableFiltersAreForDdlOfTablesOnly(String sql, String type) throws Exception {
        StatementEntry entry = read(sql, AS_CANAL);

        assertThat(entry == null ? null : entry.eventType().name()).isEqualTo(type);
    }

    /** As canal has it, for consumers that rely on it. */
    @Test
    void ddlThatCanalCannotReadIsDeliveredOfAllTablesIfConfigured() throws Exception {
        StatementEntry entry = read("CREATE TABLE in_not (a CHAR(3) BYTE)", AS_CANAL.without(Set.of()));

        assertThat(entry).isNotNull();
        assertThat(entry.eventType()).isEqualTo(EventType.QUERY);
        assertThat(entry.tableName()).isEmpty();
        assertThat(read("CREATE TABLE in_not (a CHAR(3))", AS_CANAL.without(Set.of())))
                .isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                //                                     dcl   ; dml   ; ddl
                "CREATE TABLE in_a (id int)          ; true  ; true  ; false",
                "CREATE DATABASE x                   ; false ; true  ; false",
                "REPAIR TABLE a                      ; false ; true  ; false",
                "UPDATE a SET id = 1                 ; true  ; false ; false",
            })
    void eachSwitchDropsItsStatementsAndTheOneForDdlAll(String sql, boolean dcl, boolean dml, boolean ddl)
            throws Exception {
        assertThat(read(sql, without(Omitted.QUERY_STATEMENTS)) != null).isEqualTo(dcl);
        assertThat(read(sql, without(Omitted.DML_STATEMENTS)) != null).isEqualTo(dml);
        assertThat(read(sql, without(Omitted.ALL_STATEMENTS)) != null).isEqualTo(ddl);
    }

    @Test
    void theSwitchForDdlCanSpareRows() throws Exception {
        StreamOptions sparing = without(Omitted.DDL_STATEMENTS);

        assertThat(read("UPDATE a SET id = 1", sparing)).isNotNull();
        assertThat(read("UPDATE a SET id = 1", without(Omitted.DDL_STATEMENTS, Omitted.DML_STATEMENTS)))
                .isNull();
        assertThat(read("CREATE TABLE in_a (id int)", sparing)).isNull();
        assertThat(read("CREATE DATABASE x", sparing)).isNull();
    }

    @Test
    void droppedStatementsStillChangeTableSchemas() throws Exception {
        read(
                "CREATE TABLE in_a (id int)",
                without(Omitted.QUERY_STATEMENTS, Omitted.DML_STATEMENTS, Omitted.ALL_STATEMENTS));
        read("ALTER TABLE in_a ADD COLUMN v int", BY_BEGINNINGS);

        assertThat(tracker.catalog().table(new TableName("s", "in_a")).columns())
                .extracting("name")
                .containsExactly("id", "v");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            nullValues = "-",
            value = {
                "ALTER TABLE in_a ADD FOREIGN KEY (v) REFERENCES b (id) ; ALTER  ; in_a",
                "REPLACE INTO a VALUES (1)                              ; INSERT ; -",
                "CREATE VIEW v AS SELECT 1                              ; QUERY  ; -",
                "CREATE USER u                                          ; QUERY  ; -",
                "DROP PROCEDURE p                                       ; QUERY  ; -",
            })
    void statementsThatCanalDropsAreDeliveredIfConfigured(String sql, String type, String table) throws Exception {
        assertThat(read(sql, AS_CANAL)).isNull();

        StatementEntry entry = read(sql, StreamOptions.DEFAULT.without(Set.of()));

        assertThat(entry).isNotNull();
        assertThat(entry.eventType().name()).isEqualTo(type);
        assertThat(entry.schemaName()).isEqualTo("s");
        assertThat(entry.tableName()).isEqualTo(table == null ? "" : table);
    }

    @Test
    void byExpressionsNoTableIsFoundInTextsBesideRows() {
        assertThat(reader(AS_CANAL).tableOf("UPDATE t SET a = 1")).isEqualTo("t");
        assertThat(reader(BY_BEGINNINGS).tableOf("UPDATE t SET a = 1")).isNull();
    }

    @Test
    void textContinuesAfterANul() throws Exception {
        byte[] sql = "INSERT INTO a VALUES ('x\0y')".getBytes(StandardCharsets.UTF_8);
        StatementReader reader = reader(AS_CANAL);

        String text = StatementReader.textOf(query("s", sql));

        assertThat(text).isEqualTo("INSERT INTO a VALUES ('x\0y')");
        StatementEntry entry = read(reader, query("s", sql), text);
        assertThat(entry).isNotNull();
        assertThat(entry.eventType()).isEqualTo(EventType.INSERT);
    }

    /** The server takes the bytes of such a client for UTF-8: dumps set it, and name tables and columns so. */
    @Test
    void namesOfAClientWithTheCharacterSetBinaryAreUtf8() throws Exception {
        byte[] sql = "CREATE TABLE in_表 (id INT PRIMARY KEY, `名` VARCHAR(10), s ENUM('男','女'))"
                .getBytes(StandardCharsets.UTF_8);
        QueryEvent query = query("s", sql, BINARY_COLLATION);
        StatementReader reader = reader(AS_CANAL);

        StatementEntry entry = read(reader, query, StatementReader.textOf(query));

        assertThat(entry).isNotNull();
        assertThat(entry.tableName()).isEqualTo("in_表");
        assertThat(tracker.catalog().table(new TableName("s", "in_表")).columns())
                .extracting(column -> column.name() + " " + column.mysqlType())
                .containsExactly("id INT", "名 VARCHAR(10)", "s ENUM('男','女')");
    }

    @Test
    void bytesOfAClientWithTheCharacterSetBinaryNeedNotBeUtf8() {
        byte[] sql = "INSERT INTO a VALUES ('\u00FF')".getBytes(StandardCharsets.ISO_8859_1);

        assertThat(StatementReader.textOf(query("s", sql, BINARY_COLLATION)))
                .isEqualTo("INSERT INTO a VALUES ('\uFFFD')");
    }

    /** As MySQL and MariaDB log tables of a query, and those like a temporary one. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "CREATE TABLE `t` (%n  `id` int NOT NULL DEFAULT '0',%n  `表` int%n) START TRANSACTION | ALONE  | false",
                "CREATE TABLE `t` (%n  `id` int(1) NOT NULL,%n  `表` int(11) DEFAULT NULL%n)          | WITHIN | false",
                "CREATE TABLE `t` (%n  `id` int DEFAULT NULL,%n  `表` int%n) ENGINE=InnoDB            | ALONE  | true",
                "CREATE TABLE `t` (%n  `selected` int DEFAULT NULL,%n  `表` int%n) ENGINE=InnoDB      | WITHIN | false",
                "CREATE TABLE `t` (%n  `a` int COMMENT '`b` select',%n  `表` int%n) COMMENT='SELECT'  | WITHIN | false",
            })
    void aTextOfTheServerIsUtf8(String pattern, Step step, boolean usesTemporary) {
        String sql = pattern.replace("%n", "\n");

        assertThat(textOf(sql, StandardCharsets.UTF_8, SJIS_COLLATION, step, usesTemporary))
                .isEqualTo(sql);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CREATE TABLE `t` (%n  `表` int%n) ENGINE=InnoDB     | Shift_JIS | 13 | WITHIN | true",
                "CREATE TABLE `t` (%n  `表` int%n) START TRANSACTION | Shift_JIS | 13 | ALONE  | false",
                "CREATE TABLE `t` (%n  `拢` int%n) ENGINE=InnoDB     | GBK       | 28 | ALONE  | false",
                "CREATE TABLE `t` (%n  `拢` int%n) SELECT 1          | GBK       | 28 | WITHIN | true",
                "CREATE TABLE t (`拢` int)                           | GBK       | 28 | WITHIN | true",
            })
    void aTextOfAClientIsInItsCharacterSet(
            String pattern, String charset, int collation, Step step, boolean usesTemporary) {
        String sql = pattern.replace("%n", "\n");

        assertThat(textOf(sql, Charset.forName(charset), collation, step, usesTemporary))
                .isEqualTo(sql);
    }

    private static String textOf(String sql, Charset charset, int collation, Step step, boolean usesTemporary) {
        Event event = new Event(FILE);
        int flags = usesTemporary ? EventHeader.FLAG_OF_SESSION : 0;
        event.open(new EventHeader(0, EventCode.QUERY, 1, 0, 0, flags), new EventBody(new byte[0], 0, 0));
        event.setTransactionStep(step, 0, null, step == Step.ALONE);
        return StatementReader.textOf(event, query("s", sql.getBytes(charset), collation));
    }

    @Test
    void schemasOfSessionsMayHaveAnyName() throws Exception {
        StatementEntry entry = read(reader(AS_CANAL), query("库 `x", new byte[0]), "CREATE DATABASE `库 ``x`");

        assertThat(entry).isNotNull();
        assertThat(entry.schemaName()).isEqualTo("库 `x");
    }

    /** Thread ids are those of a server, and a binlog may have the sessions of several. */
    @Test
    void aChangeOfRowsOfATemporaryTableIsOfNoInterestToItsSession() throws Exception {
        StatementReader reader = reader(AS_CANAL);
        QueryEvent query = query("s", new byte[0]);
        String sql = "INSERT INTO in_t VALUES (1)";
        assertThat(reader.countChangeOfRows(ofSession(7), query, sql)).isTrue();

        reader.apply(ofSession(7), query, "CREATE TEMPORARY TABLE in_t (id int)");

        assertThat(reader.countChangeOfRows(ofSession(7), query, sql)).isFalse();
        assertThat(reader.countChangeOfRows(ofSession(8), query, sql)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "INSERT INTO in_t VALUES (1), true",
        "INSERT INTO in_not VALUES (1), false",
        "INSERT INTO t VALUES (1), false",
        "INSERT INTO mysql.in_t VALUES (1), false",
        "INSERT INTO MySQL.t VALUES (1), false",
    })
    void changesOfRowsCountForTablesThatAreDelivered(String sql, boolean counts) {
        StatementReader reader =
                new StatementReader(tracker, new TableFilter(".*\\.in_.*,mysql\\..*", ".*\\.in_not"), AS_CANAL);

        assertThat(reader.countChangeOfRows(ofSession(7), query("s", new byte[0]), sql))
                .isEqualTo(counts);
    }

    /** That of the server is for new schemas, that of the session's schema for tables that are converted without one. */
    @Test
    void defaultsOfTheSessionAreThoseThatItsEventStates() throws Exception {
        StatementReader reader = reader(AS_CANAL);
        byte[] schemaCollation = {8, CP1251_COLLATION, 0};
        byte[] schema = {'s'};
        QueryEvent query = new QueryEvent(
                1,
                new EventBody(schema, 0, schema.length),
                UTF8_COLLATION,
                UTF8_COLLATION,
                LATIN1_COLLATION,
                0,
                new EventBody(schemaCollation, 0, schemaCollation.length),
                new EventBody(new byte[0], 0, 0));

        reader.apply(EVENT, query, "CREATE DATABASE made");
        reader.apply(EVENT, query, "CREATE TABLE made.t (c CHAR(1))");
        assertThat(tracker.catalog()
                        .table(new TableName("made", "t"))
                        .columns()
                        .get(0)
                        .charset())
                .isEqualTo("latin1");

        reader.apply(EVENT, query, "ALTER TABLE made.t CONVERT TO CHARACTER SET DEFAULT");
        assertThat(tracker.catalog()
                        .table(new TableName("made", "t"))
                        .columns()
                        .get(0)
                        .charset())
                .isEqualTo("cp1251");
    }

    @Test
    void numbersOfVariablesAreUnsigned() {
        byte[] last = new byte[9];
        Arrays.fill(last, (byte) 0xFF);
        assertThat(StatementVariables.sqlOf(EventCode.INTVAR, new EventBody(last, 0, last.length)))
                .isEqualTo("SET INSERT_ID = 18446744073709551615");

        byte[] seeds = new byte[16];
        seeds[0] = 1;
        seeds[15] = -1;
        assertThat(StatementVariables.sqlOf(EventCode.RAND, new EventBody(seeds, 0, seeds.length)))
                .isEqualTo("SET SESSION rand_seed1 = 1 , rand_seed2 = 18374686479671623680");
    }

    private static Event ofSession(int serverId) {
        Event event = new Event(FILE);
        event.open(
                new EventHeader(0, EventCode.QUERY, serverId, 0, 0, EventHeader.FLAG_OF_SESSION),
                new EventBody(new byte[0], 0, 0));
        return event;
    }

    /** As canal does it, but for more kinds that are left out. */
    private static StreamOptions without(Omitted... kinds) {
        Set<Omitted> omitted = EnumSet.of(Omitted.OTHER_STATEMENTS, kinds);
        return StreamOptions.DEFAULT.without(omitted);
    }

    private static QueryEvent query(String schema, byte[] sql) {
        return query(schema, sql, UTF8_COLLATION);
    }

    private static QueryEvent query(String schema, byte[] sql, int collation) {
        byte[] schemaText = schema.getBytes(StandardCharsets.UTF_8);
        return new QueryEvent(
                1,
                new EventBody(schemaText, 0, schemaText.length),
                collation,
                collation,
                0,
                0,
                new EventBody(new byte[0], 0, 0),
                new EventBody(sql, 0, sql.length));
    }

    private StatementEntry read(String sql, StreamOptions options) throws Exception {
        return read(reader(options), query("s", new byte[0]), sql);
    }

    private static StatementEntry read(StatementReader reader, QueryEvent query, String sql) throws Exception {
        return reader.entry(EVENT, query, sql, reader.apply(EVENT, query, sql));
    }

    private StatementReader reader(StreamOptions options) {
        return new StatementReader(tracker, new TableFilter("s\\.in_.*", "s\\.in_not"), options);
    }
}
