package io.sluice.stream.source.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.stream.source.Sources;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.stream.source.server.MySqlServers;
import io.sluice.stream.source.server.ServerFacts;
import io.sluice.stream.source.server.SourceConnection;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The heads of the files that a server of MariaDB begins. */
@Timeout(300)
class FileHeadsIT {
    @ParameterizedTest
    @CsvSource({"MARIADB_10_11, NONE", "MARIADB_11_8, NONE", "MARIADB_10_11, CRC32", "MARIADB_11_8, CRC32"})
    void aFileStatesWhetherItWasBegunByAStartOfTheServer(ServerRelease release, String checksum) throws IOException {
        MySqlOptions options = MySqlOptions.defaults()
                .release(release)
                .with("log-slave-updates", "ON")
                .with("binlog-checksum", checksum);
        try (MySqlServer server = MySqlServer.start(options)) {
            server.execute("reset master", "create database shop");
            List<Boolean> expected = new ArrayList<>(List.of(true));
            server.rotateBinlog();
            server.execute("create table shop.t (id int primary key)", "set global max_binlog_size = 4096");
            for (int id = 0; server.query("show master status").endsWith("2"); id++) {
                server.execute("insert into shop.t values (%d)".formatted(id));
            }
            expected.addAll(List.of(false, false));
            server.restart();
            server.rotateBinlog();
            expected.addAll(List.of(true, false));
            server.kill();
            server.restart();
            expected.add(true);

            assertThat(startsOf(server)).isEqualTo(expected);
        }
    }

    private static List<Boolean> startsOf(MySqlServer server) throws IOException {
        SourceHost host = new SourceHost(Sources.login(server.port()), new ConfiguredStart.Newest());
        try (SourceConnection connection = new MySqlServers().connect(host)) {
            List<ServerFacts.File> files = connection.facts().files();
            FileHeads heads = new FileHeads(files, connection.scan());
            List<Boolean> starts = new ArrayList<>();
            for (int file = 0; file < files.size(); file++) {
                starts.add(heads.sent(file).startsServer());
            }
            return starts;
        }
    }
}
