package io.sluice.server.config.read;

import static io.sluice.server.config.read.ConfigHome.SERVER;
import static io.sluice.server.config.read.ConfigHome.SHOP;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.config.Configuration;
import io.sluice.server.config.text.Warning;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys that are unknown, misspelt or without effect. */
class KeyCheckTest {
    @TempDir
    Path folder;

    private ConfigHome home;

    @BeforeEach
    void files() {
        home = new ConfigHome(folder);
    }

    @Test
    void theOptionOfTheJvmForSemiSynchronousReplicationIsAWarning() throws Exception {
        home.server(SERVER);
        home.instance("shop", SHOP);
        home.systemProperties.put("db.semi", "0");
        assertThat(home.load().warnings()).isEmpty();

        home.systemProperties.put("db.semi", "1");

        assertThat(home.load().warnings()).singleElement().asString().contains("db.semi = 1 has no effect");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mode = spring",
                "lazy = false",
                "spring.xml = classpath:spring/file-instance.xml",
                "manager.address = 127.0.0.1:8089"
            })
    void aKeyOfAnInstanceThatWasRemovedIsAWarning(String setting) throws Exception {
        home.server(SERVER + "canal.instance.closed-down." + setting + "\n");
        home.instance("shop", SHOP);

        Configuration configuration = home.load();

        assertThat(configuration.instances()).hasSize(1);
        assertThat(configuration.warnings())
                .singleElement()
                .asString()
                .contains(
                        "canal.properties:4",
                        "canal.instance.closed-down." + setting.replaceFirst(" .*", ""),
                        "has no effect, since there is no instance closed-down");
    }

    @Test
    void aKeyOfAnInstanceWhoseFolderIsGoneIsAWarning() throws Exception {
        home.server(SERVER + "canal.auto.scan = true\ncanal.instance.closed-down.lazy = false\n");
        home.instance("shop", SHOP);
        home.instance("closed-down", SHOP.replace("db:", "db2:"));
        assertThat(home.load().warnings()).isEmpty();

        Files.delete(folder.resolve("conf/closed-down/instance.properties"));

        assertThat(home.load().warnings()).singleElement().asString().contains("there is no instance closed-down");
    }

    @Test
    void aMisspeltKeyOfAllInstancesIsAWarningThatSaysWhatWasMeant() throws Exception {
        home.server(SERVER + "canal.instance.golbal.lazy = true\n");
        home.instance("shop", SHOP);

        assertThat(home.load().warnings())
                .singleElement()
                .asString()
                .contains("there is no instance golbal; did you mean canal.instance.global.lazy?");
    }

    @Test
    void aMisspeltKeyThatOnlyEndsLikeThoseOfAnInstanceIsAProblem() throws Exception {
        home.server(SERVER + "canal.instance.memory.bacth.mode = ITEMSIZE\ncanal.instance.a b.lazy = true\n");
        home.instance("shop", SHOP);

        assertThat(home.problems())
                .satisfiesExactly(
                        slip -> assertThat(slip)
                                .contains("there is no such key; did you mean canal.instance.memory.batch.mode?"),
                        noName -> assertThat(noName).contains("canal.instance.a: there is no such key"));
    }

    @Test
    void keysWithoutEffectAreReportedInOneLine() throws Exception {
        home.server(SERVER + "canal.metrics.pull.port = 11112\n");
        home.instance("shop", SHOP + "canal.instance.rds.instanceId = 12\ncanal.mq.flatMessage = false\n");

        assertThat(Warning.texts(home.load().warnings()))
                .containsExactlyInAnyOrder(
                        folder.resolve("conf/shop/instance.properties") + ":4: canal.mq.flatMessage has no effect in an"
                                + " instance's file, only in canal.properties",
                        "these keys are set, but have no effect in this version:" + " canal.instance.rds.instanceId");
    }
}
