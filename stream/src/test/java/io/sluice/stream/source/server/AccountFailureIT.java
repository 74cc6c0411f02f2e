package io.sluice.stream.source.server;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.position.Cursor;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.source.LiveSource;
import io.sluice.stream.source.Sources;
import io.sluice.stream.source.search.PositionOptions;
import io.sluice.testkit.mysql.AuthPlugin;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What an operator is told if the account lacks a privilege, or its password is blank. */
@Timeout(600)
class AccountFailureIT {
    private static final RingConfig RING = new RingConfig(1 << 10, 1 << 16, false);
    private static final String PASSWORD = "reads";

    private static MySqlServer server;

    @BeforeAll
    static void start() {
        server = MySqlServer.start(ServerRelease.MYSQL_8_0_31);
        server.execute("create database shop", "create table shop.item (id int primary key)");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void withoutReplicationClientTheGrantIsStated() {
        account("blind", "select, replication slave");

        try (LiveSource live = live("blind", PASSWORD, new ConfiguredStart.Newest())) {
            await().until(() -> live.failure() != null);

            assertThat(live.kind()).isEqualTo(SourceFailure.MISCONFIGURED);
            assertThat(live.failure()).hasMessageContaining("REPLICATION CLIENT");
            assertThat(FailureClassifier.remedy(live.failure())).isEqualTo(grantTo("blind"));
        }
    }

    /** The server answers with the error that it also gives for a wrong password. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL_5_7_22", "MYSQL_8_0_31", "MYSQL_9_7", "MARIADB_10_11"})
    void withoutReplicationSlaveTheGrantIsStatedAtOnce(ServerRelease release) {
        try (MySqlServer denying = MySqlServer.start(release)) {
            denying.execute(
                    "create user 'deaf'@'%' identified by '" + PASSWORD + "'",
                    "grant select, replication client on *.* to 'deaf'@'%'");
            SourceHost host = new SourceHost(
                    ConnectOptions.of(new ServerAddress("127.0.0.1", denying.port()), "deaf", PASSWORD),
                    Sources.at(denying.binlogEnd()));

            try (LiveSource live = LiveSource.reading(Sources.options(Sources.byFile(), host), RING)
                    .start()) {
                await().until(() -> live.failure() != null);

                assertThat(live.kind()).isEqualTo(SourceFailure.MISCONFIGURED);
                assertThat(FailureClassifier.remedy(live.failure()))
                        .startsWith("run on the source: GRANT ")
                        .contains("REPLICATION SLAVE")
                        .endsWith(" ON *.* TO 'deaf'@'%'");
            }
        }
    }

    /** Only checks of the history of its GTIDs need the privilege. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL_8_0_31", "MARIADB_10_11", "MARIADB_11_8"})
    void withoutReplicationClientASourceIsReadByGtids(ServerRelease release) throws Exception {
        try (MySqlServer gtids = withBlindAccount(release)) {
            ConfiguredStart start = Sources.at(gtids.binlogEnd());
            Cursor cursor = null;
            for (int id = 1; id <= 3; id++) {
                gtids.execute("insert into shop.item values (" + id + ")");
                try (LiveSource live = live(gtids, start, cursor)) {
                    List<Entry> entries = live.readUntil(entry -> entry.kind() == EntryKind.END);
                    assertThat(entries)
                            .filteredOn(entry -> entry.kind() == EntryKind.ROWS)
                            .hasSize(1);
                    String executed = gtids.binlogEnd().gtidSet();
                    await().until(() -> {
                        live.next();
                        return live.cursor().gtidSet().equals(executed);
                    });
                    cursor = live.cursor();
                }
            }
        }
    }

    @Test
    void withoutReplicationClientPurgedTransactionsAreNamed() {
        try (MySqlServer gtids = withBlindAccount(ServerRelease.MYSQL_8_0_31)) {
            String file = gtids.rotateBinlog().file();
            gtids.execute("purge binary logs to '" + file + "'");

            try (LiveSource live = live(gtids, new ConfiguredStart.After(""), null)) {
                await().until(() -> live.failure() != null);

                assertThat(live.kind()).isEqualTo(SourceFailure.PURGED);
                assertThat(live.failure())
                        .hasMessageContaining("has purged transactions that are still needed")
                        .hasMessageContaining("files that this account may not list");
            }
        }
    }

    private static MySqlServer withBlindAccount(ServerRelease release) {
        MySqlServer gtids =
                MySqlServer.start(MySqlOptions.defaults().release(release).gtid());
        gtids.execute(
                "create user 'blind'@'%' identified by '" + PASSWORD + "'",
                "grant select, replication slave on *.* to 'blind'@'%'",
                "create database shop",
                "create table shop.item (id int primary key)");
        return gtids;
    }

    private static LiveSource live(MySqlServer server, ConfiguredStart start, Cursor cursor) {
        SourceHost host = new SourceHost(
                ConnectOptions.of(new ServerAddress("127.0.0.1", server.port()), "blind", PASSWORD), start);
        return LiveSource.reading(Sources.options(PositionOptions.DEFAULT, host), RING)
                .from(cursor)
                .start();
    }

    @Test
    void withoutSelectTheGrantIsStatedAndNoSchemaMismatch() {
        account("unseeing", "replication slave, replication client");

        try (LiveSource live = live("unseeing", PASSWORD, Sources.at(server.binlogEnd()))) {
            server.execute("insert into shop.item values (1)");
            await().until(() -> live.failure() != null);

            assertThat(live.kind()).isEqualTo(SourceFailure.MISCONFIGURED);
            assertThat(live.failure())
                    .hasMessageContaining("the account lacks SELECT")
                    .hasMessageContaining("shop.item");
            assertThat(FailureClassifier.remedy(live.failure())).isEqualTo(grantTo("unseeing"));
        }
    }

    @Test
    void aBlankPasswordIsNamed() {
        account("forgetful", "select, replication slave, replication client");

        try (LiveSource live = live("forgetful", "", new ConfiguredStart.Newest())) {
            await().until(() -> live.failure() != null);

            assertThat(live.kind()).isEqualTo(SourceFailure.AUTHENTICATION);
            assertThat(FailureClassifier.remedy(live.failure()))
                    .startsWith("canal.instance.dbPassword is blank")
                    .contains("canal.instance.dbUsername and canal.instance.dbPassword")
                    .endsWith(grantTo("forgetful"));
        }
    }

    /** Without a password in the configuration, canal's default is sent, and the server only says that one was used. */
    @Test
    void aPasswordThatIsNotSetIsNamed() {
        account("unset", "select, replication slave, replication client");

        try (LiveSource live = live("unset", "retl", new ConfiguredStart.Newest())) {
            await().until(() -> live.failure() != null);

            assertThat(FailureClassifier.remedy(live.failure())).startsWith("canal.instance.dbPassword is not set");
        }
    }

    /** As after an upgrade in place of a server whose accounts are of MySQL 5.7. */
    @Test
    void anAccountWhosePluginTheServerHasNoMoreIsAFailureOfItsLogin() {
        try (MySqlServer upgraded = MySqlServer.start(ServerRelease.MYSQL_9_7)) {
            upgraded.execute(
                    "create user 'old'@'%' identified by '" + PASSWORD + "'",
                    "update mysql.user set plugin = 'mysql_native_password' where user = 'old'",
                    "flush privileges");
            SourceHost host = new SourceHost(
                    ConnectOptions.of(new ServerAddress("127.0.0.1", upgraded.port()), "old", PASSWORD),
                    new ConfiguredStart.Newest());

            try (LiveSource live = LiveSource.reading(Sources.options(Sources.byFile(), host), RING)
                    .start()) {
                await().until(() -> live.failure() != null);

                assertThat(live.kind()).isEqualTo(SourceFailure.AUTHENTICATION);
                assertThat(live.failure()).hasMessageContaining("Plugin 'mysql_native_password' is not loaded");
                assertThat(FailureClassifier.remedy(live.failure()))
                        .startsWith(
                                "run on the source: ALTER USER 'old'@'%' IDENTIFIED WITH caching_sha2_password BY ");
            }
        }
    }

    private static void account(String name, String privileges) {
        server.createUser(name, PASSWORD, AuthPlugin.MYSQL_NATIVE_PASSWORD);
        server.execute("grant %s on *.* to '%s'@'%%'".formatted(privileges, name));
    }

    private static String grantTo(String name) {
        return "run on the source: GRANT SELECT, REPLICATION SLAVE, REPLICATION CLIENT ON *.* TO '%s'@'%%'"
                .formatted(name);
    }

    private static LiveSource live(String user, String password, ConfiguredStart start) {
        SourceHost host =
                new SourceHost(ConnectOptions.of(new ServerAddress("127.0.0.1", server.port()), user, password), start);
        return LiveSource.reading(Sources.options(Sources.byFile(), host), RING).start();
    }
}
