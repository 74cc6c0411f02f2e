package io.sluice.stream.source.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.wire.MySqlConnection;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.Sources;
import io.sluice.testkit.mysql.BinlogEncryption;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** MySQL lists the lengths of files that it encrypts with a header, which no offset counts. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EncryptedLengthsIT {
    @TempDir
    Path folder;

    @Test
    void aFileEndsWhereADumpOfItEnds() throws Exception {
        MySqlOptions options =
                BinlogEncryption.encryptingOfMySql(MySqlOptions.defaults().release(ServerRelease.MYSQL_9_7), folder);
        try (MySqlServer server = MySqlServer.start(options);
                MySqlConnection connection = MySqlConnection.open(Sources.login(server.port()))) {
            server.execute("create database shop", "create table shop.item (id int primary key)");
            BinlogEnd encrypted = server.binlogEnd();
            server.execute("set global binlog_encryption = OFF"); // which begins a file
            server.execute("insert into shop.item values (1)");
            BinlogEnd plain = server.binlogEnd();
            MySqlServerFacts facts = new MySqlServerFacts(connection);

            List<ServerFacts.File> files = facts.files();

            assertThat(files.get(files.size() - 1)).isEqualTo(new ServerFacts.File(plain.file(), plain.offset()));
            for (ServerFacts.File file : files.subList(0, files.size() - 1)) {
                assertThat(new DumpScan(Sources.login(server.port()))
                                .end(new BinlogPosition(file.name(), file.bytes()))
                                .isEnd())
                        .as(file.toString())
                        .isTrue();
                assertThat(endOf(server, file)).as(file.toString()).isEqualTo(file.bytes());
            }
            assertThat(files).extracting(ServerFacts.File::name).contains(encrypted.file());
            server.execute("set global binlog_encryption = ON", "insert into shop.item values (2)");
            BinlogEnd newest = server.binlogEnd();
            List<ServerFacts.File> now = facts.files();
            assertThat(now.get(now.size() - 1)).isEqualTo(new ServerFacts.File(newest.file(), newest.offset()));
        }
    }

    private static long endOf(MySqlServer server, ServerFacts.File file) throws Exception {
        long[] last = {0};
        new DumpScan(Sources.login(server.port())).scan(file.name(), (header, body, start, end) -> {
            last[0] = end;
            return true;
        });
        return last[0];
    }
}
