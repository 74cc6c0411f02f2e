package io.sluice.server.instance;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.time.Time;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.read.ConfigLoader;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.text.Environment;
import io.sluice.server.ha.OwnershipTerm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class InstanceWiringTest {
    /** As canal writes it for a client that has subscribed with a filter; Sluice adds that it has left. */
    private static final String META = """
            {"clientDatas":[{"clientIdentity":{"clientId":1001,"destination":"shop","filter":"shop\\\\..*"},\
            "cursor":{"identity":{"slaveId":-1,"sourceAddress":{"address":"localhost","port":3306}},\
            "postion":{"gtid":"","included":false,"journalName":"mysql-bin.000001","position":1234,\
            "serverId":1,"timestamp":1700000000000}}%s}],"destination":"shop"}""";

    @TempDir
    private Path home;

    private Configuration configuration() throws Exception {
        Path instance = home.resolve("conf/shop/instance.properties");
        Files.createDirectories(instance.getParent());
        Files.writeString(instance, """
                canal.instance.master.address = 127.0.0.1:9
                canal.instance.tsdb.enable = false
                canal.instance.filter.regex = till\\\\..*
                """);
        Path server = Files.writeString(home.resolve("conf/canal.properties"), """
                canal.serverMode = tcp
                canal.ip = 127.0.0.1
                canal.destinations = shop
                canal.file.data.dir = %s
                """.formatted(home.resolve("cursors")));
        return ConfigLoader.load(
                server, Files.createDirectories(home.resolve("bin")), Environment.ofThisProcess(), ProducerCheck.NONE);
    }

    /** The port may be open when an instance is made, as during a reload, so clients come before it is started. */
    @ParameterizedTest
    @ValueSource(strings = {"", ",\"unsubscribed\":true"})
    void aClientThatComesBeforeTheStartKeepsItsStoredFilter(String left) throws Exception {
        Path meta = home.resolve("cursors/shop/meta.dat");
        Files.createDirectories(meta.getParent());
        Files.writeString(meta, META.formatted(left));
        Configuration configuration = configuration();
        try (SharedPools pools = new SharedPools(configuration, Time.SYSTEM)) {
            Instance instance = new InstanceWiring(pools)
                    .pulled(
                            configuration.instances().get(0),
                            1,
                            OwnershipTerm.sole(),
                            DestinationState.of("shop", 0, pools.timer(), Time.SYSTEM),
                            (name, cause) -> {});
            instance.pullClients().orElseThrow().subscribe(1001, "");
            instance.stop(Duration.ZERO);
        }
        assertThat(meta).content().contains("\"filter\":\"shop\\\\..*\"");
    }
}
