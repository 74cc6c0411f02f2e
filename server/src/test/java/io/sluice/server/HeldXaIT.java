package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.client.ClientOptions;
import io.sluice.client.PullClient;
import io.sluice.testkit.mysql.MySqlServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rows of XA transactions that are held back, in a server whose memory has no room for them. */
@Timeout(600)
class HeldXaIT {
    private static MySqlServer mysql;

    @BeforeAll
    static void startMySql() {
        mysql = MySqlServer.start();
        PulledServer.allow(mysql);
        mysql.execute("create database shop", "create table shop.orders (id int primary key)");
    }

    @AfterAll
    static void stopMySql() {
        mysql.close();
    }

    @Test
    void undecidedTransactionsAreCountedAndTheirRowsComeWithTheCommit() throws Exception {
        try (PulledServer server = new PulledServer(
                        mysql, Map.of("canal.instance.xa", "committed", "canal.instance.xa.memory", "1"));
                Connection connection = mysql.connect();
                Statement xa = connection.createStatement()) {
            server.start();
            try (PullClient client =
                    PullClient.connect(ClientOptions.of("127.0.0.1", server.port(), PulledServer.DESTINATION))) {
                client.subscribe("shop\\..*");
                for (String sql :
                        List.of("XA START 'a'", "INSERT INTO shop.orders VALUES (1)", "XA END 'a'", "XA PREPARE 'a'")) {
                    xa.execute(sql);
                }
                mysql.execute("insert into shop.orders values (2)");
                assertThat(PulledServer.ids(client, 1)).containsExactly("2");
                assertThat(undecided(server)).isEqualTo(1);
                assertThat(files(server)).hasSize(1);

                xa.execute("XA COMMIT 'a'");
                assertThat(PulledServer.ids(client, 1)).containsExactly("1");
                await().until(() -> undecided(server) == 0 && files(server).isEmpty());
            }
        }
    }

    @Test
    void filesOfACrashAreDeletedAlsoWhereNothingIsHeldBackAnyMore() throws Exception {
        try (PulledServer server = new PulledServer(mysql, Map.of())) {
            Path left =
                    Files.createDirectories(server.directory().resolve("xa")).resolve("xa-of-a-crash.held");
            Files.writeString(left, "rows");
            server.start();
            await().until(() -> Files.notExists(left));
        }
    }

    private static int undecided(PulledServer server) {
        return server.server().instances().get(0).sourceProgress().undecidedTransactions();
    }

    private static List<Path> files(PulledServer server) throws IOException {
        Path directory = server.directory().resolve("xa");
        if (Files.notExists(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }
}
