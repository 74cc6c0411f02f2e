package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.pull.ClientFilters;
import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.process.FreePorts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server whose destination was pulled with a filter before it was sent to a queue; its source cannot be reached. */
class StoredFilterTest {
    /** As canal writes it for a client that has subscribed with a filter. */
    private static final String META = """
            {"clientDatas":[{"clientIdentity":{"clientId":1001,"destination":"shop","filter":"shop\\\\.orders"},\
            "cursor":{"identity":{"slaveId":-1,"sourceAddress":{"address":"localhost","port":3306}},\
            "postion":{"gtid":"","included":false,"journalName":"mysql-bin.000001","position":1234,\
            "serverId":1,"timestamp":1700000000000}}}],"destination":"shop"}""";

    @AutoClose
    private final LogLines log = LogLines.of(ClientFilters.class);

    @TempDir
    private Path home;

    private Path write(String file, String text) throws Exception {
        Path path = home.resolve(file);
        Files.createDirectories(path.getParent());
        return Files.writeString(path, text);
    }

    private void startAndStop(String filter) throws Exception {
        write("conf/shop/instance.properties", """
                canal.instance.master.address = 127.0.0.1:9
                canal.instance.tsdb.enable = false
                canal.instance.filter.regex = %s
                canal.mq.topic = shop
                """.formatted(filter));
        write("conf/canal.properties", """
                canal.serverMode = kafka
                kafka.bootstrap.servers = 127.0.0.1:9
                canal.destinations = shop
                canal.file.data.dir = %s
                canal.metrics.pull.port = %d
                """.formatted(home.resolve("cursors"), FreePorts.next()));
        new ServerFiles(home).start().stop(Duration.ZERO);
    }

    @Test
    void isKeptAndNamedInAWarning() throws Exception {
        Path meta = write("cursors/shop/meta.dat", META);

        startAndStop(".*\\\\..*");

        assertThat(meta).content().contains("\"filter\":\"shop\\\\.orders\"");
        assertThat(log.warnings())
                .singleElement()
                .asString()
                .contains("kept and not used", "instance=shop client=1001 filter=shop\\.orders");
    }

    @Test
    void isNoWarningIfTheConfigurationSaysTheSame() throws Exception {
        write("cursors/shop/meta.dat", META);

        startAndStop("shop\\\\.orders");

        assertThat(log.warnings()).isEmpty();
    }
}
