package io.sluice.stream.source;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.EntryKind;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.source.search.PositionOptions;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import io.sluice.testkit.process.Folders;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** With semi-synchronous replication a server sends a transaction to replicas while its commit still waits for one to acknowledge it. */
@Timeout(600)
class SemiSyncIT {
    private static final RingConfig RING = new RingConfig(1 << 12, 1 << 12, false);

    @Test
    void aTransactionThatWaitsToBeAcknowledgedIsNoOtherHistory() throws Exception {
        String plugins =
                Folders.servers().resolve("mysql-9.7/root/usr/lib/mysql/plugin").toString();
        MySqlOptions options =
                MySqlOptions.defaults().release(ServerRelease.MYSQL_9_7).gtid().with("plugin-dir", plugins);
        try (MySqlServer server = MySqlServer.start(options);
                GatedProxy proxy = new GatedProxy(server.port())) {
            server.execute(
                    "create database shop",
                    "create table shop.item (id int primary key)",
                    "install plugin rpl_semi_sync_source soname 'semisync_source.so'",
                    "set global rpl_semi_sync_source_timeout = 3600000",
                    "set global rpl_semi_sync_source_enabled = on");
            SourceHost host = new SourceHost(Sources.login(proxy.port()), new ConfiguredStart.Earliest());
            try (LiveSource live = LiveSource.reading(Sources.options(PositionOptions.DEFAULT, host), RING)
                    .start()) {
                CompletableFuture<Void> commit =
                        CompletableFuture.runAsync(() -> server.execute("insert into shop.item values (1)"));
                live.readUntil(entry -> entry.kind() == EntryKind.END);
                assertThat(server.query("select @@global.gtid_owned")).contains("#");

                proxy.shut();
                await().until(() -> !live.retries().isEmpty());
                proxy.open();
                await().until(() -> live.failure() != null || live.readings().size() > 1);
                assertThat(live.failure()).isNull();
                assertThat(commit).isNotDone();

                server.execute("set global rpl_semi_sync_source_enabled = off", "insert into shop.item values (2)");
                commit.join();
                assertThat(live.readUntil(entry -> entry.kind() == EntryKind.END))
                        .filteredOn(entry -> entry.kind() == EntryKind.ROWS)
                        .hasSize(1);
            }
        }
    }
}
