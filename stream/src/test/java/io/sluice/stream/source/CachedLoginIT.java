package io.sluice.stream.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.sluice.format.entry.EntryKind;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.MySqlConnection;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.mysql.wire.tls.TlsMode;
import io.sluice.mysql.wire.tls.TlsOptions;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.store.ring.RingConfig;
import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.mysql.AuthPlugin;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A source whose logins depend on the server's cache reads, and warns once, although it makes several connections. */
@Timeout(600)
class CachedLoginIT {
    @Test
    void isWarnedOfOnceForAllConnections() throws Exception {
        Optional<InetAddress> own = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(candidate -> candidate instanceof Inet4Address && !candidate.isLoopbackAddress())
                .findFirst();
        assumeThat(own).as("an address that is not a loopback address").isPresent();
        try (LogLines log = LogLines.of("io.sluice.mysql.wire.FastLoginNotice");
                MySqlServer server = MySqlServer.start(MySqlOptions.defaults().with("bind-address", "*"))) {
            server.createReplicationUser("canal", "secret", AuthPlugin.CACHING_SHA2_PASSWORD);
            server.execute("create database shop", "create table shop.orders (id int primary key)");
            BinlogEnd start = server.rotateBinlog();
            ConnectOptions plain = ConnectOptions.of(
                    new ServerAddress(own.orElseThrow().getHostAddress(), server.port()), "canal", "secret");
            MySqlConnection.open(plain.withTls(TlsOptions.of(TlsMode.REQUIRED))).close(); // fills the cache

            SourceOptions options = LiveSource.options(plain, new BinlogPosition(start.file(), start.offset()));
            try (LiveSource live =
                    LiveSource.reading(options, new RingConfig(64, 1024, false)).start()) {
                server.execute("insert into shop.orders values (1)");
                live.readUntil(entry -> entry.kind() == EntryKind.ROWS);
            }
            assertThat(log.texts())
                    .singleElement()
                    .asString()
                    .contains("works only while the server has the account in its cache");
        }
    }
}
