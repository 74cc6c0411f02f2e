package io.sluice.server.config.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.server.config.ConfigDigests;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.instance.CursorKind;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.key.Keys;
import io.sluice.server.config.key.PerDestinationKey;
import io.sluice.server.config.read.EffectiveConfiguration.Value;
import io.sluice.server.config.text.Environment;
import io.sluice.server.config.text.Key;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code canal.properties} says of one instance, or of all. */
class WiringReaderTest {
    private static final String SERVER =
            "canal.serverMode = tcp\ncanal.ip = 127.0.0.1\ncanal.destinations = shop,till\n";

    @TempDir
    Path directory;

    private ConfigHome home;

    @BeforeEach
    void files() {
        home = new ConfigHome(directory);
        for (String name : List.of("shop", "till")) {
            home.instance(name, "canal.instance.master.address = %s:3306\n".formatted(name));
        }
    }

    @Test
    void whatIsSaidOfAnInstanceWins() throws Exception {
        home.server(SERVER + """
                canal.instance.global.spring.xml = classpath:spring/memory-instance.xml
                canal.instance.shop.spring.xml = file-instance.xml
                canal.instance.global.lazy = false
                canal.instance.shop.lazy = TRUE
                """);

        List<InstanceConfig> instances = home.load().instances();

        assertThat(instances)
                .extracting(instance -> instance.cursor().kind(), InstanceConfig::lazy)
                .containsExactly(tuple(CursorKind.FILE, true), tuple(CursorKind.MEMORY, false));
    }

    @Test
    void aBlankValueOfAnInstanceIsNone() throws Exception {
        home.server(SERVER + "canal.instance.global.lazy = true\ncanal.instance.shop.lazy =\n");

        assertThat(home.load().instances()).allMatch(InstanceConfig::lazy);
    }

    @Test
    void aWrongValueIsAProblemWhereItCounts() {
        home.server(SERVER + """
                canal.instance.global.lazy = ture
                canal.instance.shop.lazy = true
                canal.instance.shop.mode = summer
                canal.instance.till.spring.xml = other.xml
                """);

        assertThat(home.problems())
                .satisfiesExactly(
                        lazy -> assertThat(lazy)
                                .endsWith(":4: canal.instance.global.lazy = ture: must be true or false"),
                        mode -> assertThat(mode).endsWith(":6: canal.instance.shop.mode = summer: must be spring"),
                        wiring -> assertThat(wiring)
                                .contains(":7: canal.instance.till.spring.xml = other.xml: only the wirings "));
    }

    @Test
    void aWrongValueThatDoesNotCountIsNoProblem() throws Exception {
        home.server(SERVER + """
                canal.instance.global.lazy = ture
                canal.instance.shop.lazy = true
                canal.instance.till.lazy = false
                """);

        assertThat(home.load().instances()).extracting(InstanceConfig::lazy).containsExactly(true, false);
    }

    /** An instance whose digest has changed is made again by a reload. */
    @Test
    void onlyInstancesForWhichAValueCountsHaveChanged() throws Exception {
        home.server(SERVER + "canal.instance.shop.lazy = false\n");
        ConfigDigests before = home.load().digests();

        home.server(SERVER + "canal.instance.shop.lazy = false\ncanal.instance.global.lazy = true\n");
        ConfigDigests after = home.load().digests();

        assertThat(before.hasChanged("shop", after)).isFalse();
        assertThat(before.hasChanged("till", after)).isTrue();
    }

    @Test
    void theDefaultIsThatOfCanalWhereverItIsShown() throws Exception {
        home.server(SERVER);
        Configuration configuration = home.load();
        Environment environment = new Environment(
                Map.of(), Map.of(), (Inet4Address) InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 4);

        List<Value> values = EffectiveConfiguration.read(configuration, directory.resolve("bin"), environment)
                .instances()
                .get(0)
                .values();

        assertThat(configuration.instances())
                .extracting(instance -> instance.cursor().kind())
                .containsOnly(CursorKind.FILE);
        assertThat(values)
                .contains(new Value(
                        "canal.instance.global.spring.xml",
                        "classpath:spring/file-instance.xml",
                        "",
                        "default",
                        true,
                        ""));
        for (PerDestinationKey<?> key : Keys.perDestination()) {
            if (key.ofAll().support() == Key.Support.NOW) {
                assertThat(values)
                        .contains(new Value(key.ofAll().name(), key.ofAll().standard(), "", "default", true, ""));
            }
        }
    }
}
