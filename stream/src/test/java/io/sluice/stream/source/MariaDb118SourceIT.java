package io.sluice.stream.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Entry;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.testkit.mysql.ServerRelease;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class MariaDb118SourceIT extends MariaDbSource {
    MariaDb118SourceIT() {
        super(ServerRelease.MARIADB_11_8);
    }

    /** Such a transaction is not copied into the binlog: its cache becomes the next file. */
    @Test
    void readsTransactionsThatBecomeAFile() throws Exception {
        live().run("set global binlog_large_commit_threshold = 10485760");

        List<Entry> entries = live().delivered(
                        "create database maria_large",
                        "use maria_large",
                        "create table t (id int primary key, v varchar(2000))",
                        "insert into t values (0, 'before')",
                        "begin",
                        "insert into t select seq, repeat(char(65 + seq % 26), 1500) from seq_1_to_9000",
                        "update t set v = 'changed' where id % 100 = 0",
                        "commit",
                        "delete from t where id = 5");

        live().requireState("maria_large", entries);
        List<BinlogPosition> positions =
                entries.stream().map(EntryPositions::start).toList();
        assertThat(positions.stream().map(BinlogPosition::file).distinct()).hasSizeGreaterThan(1);
        for (int i = 1; i < positions.size(); i++) {
            if (positions.get(i).file().equals(positions.get(i - 1).file())) {
                assertThat(positions.get(i).offset())
                        .isGreaterThan(positions.get(i - 1).offset());
            }
        }
    }

    @Test
    void writesVectorsAsMySqlsAre() throws Exception {
        for (String metadata : List.of("NO_LOG", "FULL")) {
            String schema = "maria_vectors_" + metadata.toLowerCase(Locale.ROOT);
            List<String> rows = LiveServer.flat(live().delivered(
                                    "create database " + schema,
                                    "use " + schema,
                                    "set global binlog_row_metadata = " + metadata,
                                    "create table v (id int primary key, v vector(3), w vector(400) not null,"
                                            + " t text character set latin1, vector index (w))",
                                    "insert into v values (1, vec_fromtext('[1, 2.5, -0.125]'),"
                                            + " vec_fromtext(concat('[', repeat('0.25,', 399), '1]')), 'ä'),"
                                            + " (2, null, vec_fromtext(concat('[', repeat('0,', 399), '-0.5]')), 'ö')",
                                    "set global binlog_row_metadata = NO_LOG"))
                    .stream()
                    .filter(message -> message.contains("\"type\":\"INSERT\""))
                    .toList();

            assertThat(rows).hasSize(1);
            assertThat(rows.get(0))
                    .contains("\"v\":\"[1.0,2.5,-0.125]\"")
                    .contains("\"w\":\"[" + "0.25,".repeat(399) + "1.0]\"")
                    .contains("\"t\":\"ä\"")
                    .contains("\"t\":\"ö\"")
                    .contains("\"v\":null");
        }
    }
}
