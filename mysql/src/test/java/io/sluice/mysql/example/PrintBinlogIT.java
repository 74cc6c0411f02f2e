package io.sluice.mysql.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.binlog.BinlogFile;
import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.Statement;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PrintBinlogIT {
    @ParameterizedTest
    @EnumSource(names = {"MYSQL_8_0_31", "MARIADB_11_8"})
    void printsALiveBinlogAndItsFileAlike(ServerRelease release) throws Exception {
        try (MySqlServer server = MySqlServer.start(release)) {
            BinlogEnd start = server.rotateBinlog();
            try (Connection connection = server.connect();
                    Statement statement = connection.createStatement()) {
                statement.execute("create database printed");
                statement.execute("create table printed.t (id int primary key)");
                statement.execute("insert into printed.t values (1)");
                statement.execute("update printed.t set id = 2");
                statement.execute("delete from printed.t");
            }
            String file = start.file();

            String live = printed(PrintBinlog.dump(
                    ConnectOptions.of(new ServerAddress(server.host(), server.port()), "root", ""), file));

            assertThat(live)
                    .containsSubsequence(
                            "query create database printed",
                            "query create table printed.t",
                            "table printed.t",
                            "insert, ",
                            "commit",
                            "update, ",
                            "delete, ");
            server.rotateBinlog();
            assertThat(printed(BinlogFile.open(server.binlogDirectory().resolve(file))))
                    .startsWith(live);
        }
    }

    private static String printed(EventSource source) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (EventSource events = source;
                PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8)) {
            PrintBinlog.print(events, out);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
