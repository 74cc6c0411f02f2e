package io.sluice.testkit.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.process.FreePorts;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("thorough")
class MySqlServerIT {
    @ParameterizedTest
    @EnumSource(names = {"MYSQL_5_7_22", "MYSQL_9_7", "MARIADB_11_8"})
    void keepsPortAndDataWhenStoppedAndKilled(ServerRelease release) {
        try (MySqlServer server = MySqlServer.start(release)) {
            int port = server.port();
            assertThat(server.query("select version()")).startsWith(number(release));
            BinlogEnd before = server.binlogEnd();
            server.execute("create database shop", "create table shop.orders (id int primary key)");
            server.execute("insert into shop.orders values (1)");
            assertThat(server.binlogEnd().offset()).isGreaterThan(before.offset());
            // MariaDB adds a checkpoint some time after its start.
            await().untilAsserted(() -> assertThat(server.binlogDirectory().resolve(before.file()))
                    .hasSize(server.binlogEnd().offset()));
            server.stop();
            assertThat(FreePorts.isFree(port)).isTrue();

            server.restart();
            server.execute("insert into shop.orders values (2)");
            server.kill();
            assertThat(server.isRunning()).isFalse();

            server.restart();
            assertThat(server.port()).isEqualTo(port);
            assertThat(server.query("select count(*) from shop.orders")).isEqualTo("2");
        }
    }

    private static String number(ServerRelease release) {
        return release.folder().substring(release.folder().indexOf('-') + 1);
    }

    /** An option that each kind of server calls differently. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL_5_7_22", "MYSQL_9_7", "MARIADB_11_8"})
    void countsTransactions(ServerRelease release) {
        MySqlOptions options =
                MySqlOptions.defaults().release(release).serverId(77).gtid();
        try (MySqlServer server = MySqlServer.start(options)) {
            server.execute("create database shop");

            String source = release.isMariaDb() ? "0-77" : server.query("select @@server_uuid");
            assertThat(server.binlogEnd().gtidSet()).isEqualTo(source + (release.isMariaDb() ? "-1" : ":1"));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MARIADB_10_11", "MARIADB_11_8"})
    void compressesRowsWhereThereAreNoCompressedTransactions(ServerRelease release) {
        MySqlOptions options = MySqlOptions.defaults().release(release).compressedTransactions();
        try (MySqlServer server = MySqlServer.start(options)) {
            assertThat(server.query("select @@log_bin_compress")).isEqualTo("1");
        }
    }

    @Test
    void appliesOptions() {
        MySqlOptions options = MySqlOptions.defaults()
                .serverId(77)
                .gtid()
                .rowMetadata("FULL")
                .compressedTransactions()
                .with("max_binlog_size", "1M");
        try (MySqlServer server = MySqlServer.start(options)) {
            assertThat(server.query("select @@server_id")).isEqualTo("77");
            assertThat(server.query("select @@gtid_mode")).isEqualTo("ON");
            assertThat(server.query("select @@binlog_row_metadata")).isEqualTo("FULL");
            assertThat(server.query("select @@binlog_transaction_compression")).isEqualTo("1");
            assertThat(server.query("select @@max_binlog_size")).isEqualTo("1048576");

            server.execute("create database shop");
            assertThat(server.binlogEnd().gtidSet()).isEqualTo(server.query("select @@server_uuid") + ":1");
        }
    }

    @Test
    void reportsTheEndOfItsBinlog() {
        try (MySqlServer server = MySqlServer.start()) {
            BinlogEnd before = server.binlogEnd();
            BinlogEnd after = server.rotateBinlog();

            assertThat(before.file()).isEqualTo("binlog.000001");
            assertThat(after).isEqualTo(new BinlogEnd("binlog.000002", 157, ""));
            assertThat(server.binlogDirectory().resolve(after.file())).hasSize(157);
            assertThat(server.caCertificate()).content().startsWith("-----BEGIN CERTIFICATE-----");
        }
    }

    @Test
    void twoServersHaveDifferentIdentities() {
        try (MySqlServer one = MySqlServer.start();
                MySqlServer other = MySqlServer.start()) {
            assertThat(one.port()).isNotEqualTo(other.port());
            assertThat(one.query("select @@server_uuid")).isNotEqualTo(other.query("select @@server_uuid"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void replicationUsersLogInByTheirPlugin(ServerRelease release) throws SQLException {
        try (MySqlServer server = MySqlServer.start(release)) {
            for (AuthPlugin plugin : release.authPlugins()) {
                String user = plugin.sqlName();
                server.createReplicationUser(user, "it's secret", plugin);

                try (Connection connection = server.connect(user, "it's secret")) {
                    assertThat(connection.isValid(60)).isTrue();
                }
                assertThatThrownBy(() -> server.connect(user, "wrong")).isInstanceOf(SQLException.class);
            }
        }
    }

    @Test
    void keepsADataDirectoryThatWasNamed(@TempDir Path folder) {
        MySqlOptions options = MySqlOptions.defaults().dataDirectory(folder.resolve("data"));
        try (MySqlServer server = MySqlServer.start(options)) {
            server.execute("create database kept");
        }
        try (MySqlServer server = MySqlServer.start(options)) {
            assertThat(server.query("show databases like 'kept'")).isEqualTo("kept");
        }
    }

    @Test
    void reportsWhyItDidNotStart() {
        assertThatThrownBy(() -> MySqlServer.start(MySqlOptions.defaults().with("no-such-option", "1")))
                .hasMessageContaining("unknown variable 'no-such-option=1'");
    }

    @Test
    void leavesNoFolderAfter() {
        MySqlServer server = MySqlServer.start();
        Path folder = server.log().getParent();
        server.close();

        assertThat(folder).doesNotExist();
    }

    /** A JVM that is killed cannot clean up, and yet neither a process nor a folder may stay. */
    @Test
    void diesWithAJvmThatIsKilled() throws Exception {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Dsluice.servers=" + System.getProperty("sluice.servers"),
                        "-cp",
                        System.getProperty("java.class.path"),
                        StartAndWait.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            BufferedReader output =
                    new BufferedReader(new InputStreamReader(jvm.getInputStream(), StandardCharsets.UTF_8));
            ProcessHandle server =
                    ProcessHandle.of(Long.parseLong(output.readLine())).orElseThrow();
            int port = Integer.parseInt(output.readLine());
            Path folder = Path.of(output.readLine());
            assertThat(server.isAlive()).isTrue();
            assertThat(folder).isDirectory();

            jvm.destroyForcibly();

            await().atMost(Duration.ofSeconds(60))
                    .until(() -> !server.isAlive() && FreePorts.isFree(port) && !Files.exists(folder));
        } finally {
            jvm.destroyForcibly();
        }
    }

    /** What the killed JVM ran. */
    static final class StartAndWait {
        private StartAndWait() {}

        public static void main(String[] arguments) throws Exception {
            MySqlServer server = MySqlServer.start();
            System.out.println(server.pid());
            System.out.println(server.port());
            System.out.println(server.log().getParent());
            Thread.currentThread().join();
        }
    }
}
