package io.sluice.deployer.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.InvalidProtocolBufferException;
import io.sluice.protocol.entry.Entry;
import io.sluice.protocol.entry.EntryType;
import io.sluice.protocol.entry.RowChange;
import io.sluice.testkit.canal.CanalClient;
import io.sluice.testkit.canal.PulledEntries;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.FreePorts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** canal's own client pulls from the packaged server, before and after a crash of it. */
@Timeout(900)
class PullIT {
    @Test
    void aClientPullsFromThePackageAndAgainAfterACrash() throws Exception {
        try (MySqlServer mysql = MySqlServer.start()) {
            Pipeline.allow(mysql);
            BinlogEnd start = mysql.rotateBinlog();
            mysql.execute("create database shop", "create table shop.orders (id int primary key)");
            int port = FreePorts.next();
            Map<String, String> settings = Map.of(
                    "canal.serverMode", "tcp",
                    "canal.ip", "127.0.0.1",
                    "canal.port", Integer.toString(port));
            Map<String, String> instance = Map.of(
                    "canal.instance.master.address",
                    mysql.host() + ":" + mysql.port(),
                    "canal.instance.dbUsername",
                    Pipeline.USER,
                    "canal.instance.dbPassword",
                    Pipeline.PASSWORD,
                    "canal.instance.master.journal.name",
                    start.file(),
                    "canal.instance.master.position",
                    Long.toString(start.offset()));
            try (PackagedServer server = new PackagedServer("pulled", settings, instance)) {
                server.start();
                mysql.execute("insert into shop.orders values (1)");
                assertThat(pull(port, 1)).contains("1");

                server.kill();
                mysql.execute("insert into shop.orders values (2)");
                server.start();

                assertThat(pull(port, 2)).contains("2");
            }
        }
    }

    /** Pulls until a row with this id has come; returns the ids of all rows that came. */
    private static List<String> pull(int port, int id) {
        List<String> ids = new ArrayList<>();
        try (CanalClient client = CanalClient.java(CanalClient.Target.of(port, "pulled"))) {
            client.connect();
            client.subscribe("shop\\..*");
            await().atMost(Duration.ofMinutes(2)).pollDelay(Duration.ZERO).until(() -> {
                PulledEntries pulled = client.get(100, 100);
                pulled.entries().stream()
                        .filter(entry -> entry.getEntryType() == EntryType.ROWDATA)
                        .flatMap(entry -> ids(entry).stream())
                        .forEach(ids::add);
                if (pulled.batchId() > 0) {
                    client.ack(pulled.batchId());
                }
                return ids.contains(Integer.toString(id));
            });
            client.disconnect();
        }
        return ids;
    }

    /** The first columns of an entry's rows. */
    private static List<String> ids(Entry entry) {
        try {
            return RowChange.parseFrom(entry.getStoreValue()).getRowDatasList().stream()
                    .map(row -> row.getAfterColumns(0).getValue())
                    .toList();
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException(e);
        }
    }
}
