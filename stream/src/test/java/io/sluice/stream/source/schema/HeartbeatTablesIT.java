package io.sluice.stream.source.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
import io.sluice.stream.source.server.MySqlQueries;
import io.sluice.stream.source.server.SourceQueries;
import io.sluice.testkit.mysql.AuthPlugin;
import io.sluice.testkit.mysql.MySqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class HeartbeatTablesIT {
    private static final TableName HEARTBEAT = new TableName("test", "heartbeat");
    private static final TableName OTHER = new TableName("test", "other");

    private static MySqlServer server;

    @BeforeAll
    static void startServer() {
        server = MySqlServer.start();
        server.createReplicationUser("seeing", "secret", AuthPlugin.CACHING_SHA2_PASSWORD);
        server.execute(
                "create database test",
                "create table test.other (id int)",
                "create user blind identified by 'secret'",
                "grant replication slave, replication client on *.* to blind");
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Test
    void aDefinitionOnTheSourceIsPreferred() throws Exception {
        server.execute("create table test.heartbeat (server_id int primary key, ts varchar(26), file text)");
        try (SourceQueries queries = queries("seeing")) {
            TableSchema table =
                    new SchemaTracker(new HeartbeatTables(queries)).catalog().table(HEARTBEAT);

            assertThat(table).isNotNull();
            assertThat(table.columns()).extracting("name").containsExactly("server_id", "ts", "file");
        } finally {
            server.execute("drop table test.heartbeat");
        }
    }

    @Test
    void aHeartbeatTableThatIsNotShownHasAFixedDefinition() throws Exception {
        try (SourceQueries queries = queries("seeing")) {
            TableSchema table =
                    new SchemaTracker(new HeartbeatTables(queries)).catalog().table(HEARTBEAT);

            assertThat(table).isNotNull();
            assertThat(table.columns()).extracting("mysqlType").containsExactly("smallint(6)", "int(11)");
        }
        try (SourceQueries queries = queries("blind")) {
            HeartbeatTables tables = new HeartbeatTables(queries);

            assertThat(tables.createStatement(HEARTBEAT)).contains("smallint(6)");
            assertThat(tables.createStatement(OTHER))
                    .as("a table that may not be seen is not known")
                    .isNull();
        }
    }

    private static SourceQueries queries(String user) {
        return new MySqlQueries(ConnectOptions.of(new ServerAddress(server.host(), server.port()), user, "secret"));
    }
}
