package io.sluice.server.instance;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.load.ConfigLoader;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.text.Environment;
import io.sluice.stream.options.PartialImagePolicy;
import io.sluice.stream.options.PartialImagePolicy.Reported;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PartialImageRulesTest {
    private static final String COMPLETE = "canal.instance.value.image.complete = true";

    @TempDir
    Path home;

    /** Hash: columns of rows by which they go to partitions. */
    @ParameterizedTest
    @CsvSource({
        "true, '', none, keep, false, WITHOUT_KEY, true",
        "true, '', none, keep, true, WITHOUT_KEY, false",
        "false, '', none, keep, false, NONE, false",
        "false, ':$pk$', none, keep, false, WITHOUT_KEY, true",
        "false, ':$pk$', none, split, false, WITHOUT_KEY, false",
        "false, ':$pk$', none, keep, true, WITHOUT_KEY, false",
        "false, ':region', none, keep, true, ANY, true",
        "false, '', pk, keep, false, WITHOUT_KEY, false",
        "false, '', .*:region, keep, false, ANY, true",
    })
    void whatMattersIsReported(
            boolean flat,
            String hash,
            String messageKey,
            String keyChange,
            boolean completes,
            Reported reported,
            boolean atStart)
            throws Exception {
        InstanceConfig config = config(
                """
                canal.mq.partitionHash = %s
                canal.mq.messageKey = %s
                canal.mq.keyChange = %s
                %s
                """.formatted(hash.isEmpty() ? "" : ".*" + hash, messageKey, keyChange, completes ? COMPLETE : ""));

        PartialImagePolicy images = new PartialImageRules(config, flat).images();

        assertThat(images.completesAfter()).isEqualTo(completes);
        assertThat(images.reported()).isEqualTo(reported);
        assertThat(images.reportedAtStart()).isEqualTo(atStart);
        assertThat(images.consequence().isEmpty()).isEqualTo(reported == Reported.NONE);
    }

    private InstanceConfig config(String settings) throws Exception {
        Path file = home.resolve("canal.properties");
        Files.writeString(file, """
                canal.serverMode = kafka
                canal.destinations = shop
                canal.mq.topic = shop
                kafka.bootstrap.servers = 127.0.0.1:9092
                canal.instance.master.address = db:3306
                """ + settings);
        Environment environment = new Environment(
                Map.of(), Map.of(), (Inet4Address) InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 2);
        return ConfigLoader.load(file, home, environment, ProducerCheck.NONE)
                .instances()
                .get(0);
    }
}
