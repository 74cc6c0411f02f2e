package io.sluice.server.config.key;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.server.config.text.Key;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KeyCatalogTest {
    @Test
    void everyKeyIsInItOnce() {
        assertThat(KeyCatalog.keys())
                .extracting(KeyDescription::name)
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(
                        Keys.all().stream().map(Key::name).toList());
    }

    @Test
    void aKeyThatWorksHasADescriptionAndAnotherOneAReason() {
        for (KeyDescription key : KeyCatalog.keys()) {
            boolean works = key.support() == Key.Support.NOW;
            assertThat(works ? key.description() : key.reason()).as(key.name()).isNotBlank();
            assertThat(works ? key.reason() : key.description()).as(key.name()).isEmpty();
            if (works) {
                assertThat(key.description()).as(key.name()).matches("(?s)[A-Z`4].*\\.");
            }
        }
    }

    @Test
    void aDefaultIsSpelledAsOneOfTheChoices() {
        for (KeyDescription key : KeyCatalog.keys()) {
            if (!key.choices().isEmpty() && !key.standard().isEmpty()) {
                assertThat(key.choices()).as(key.name()).contains(key.standard());
            }
        }
    }

    @Test
    void passwordsAndKeysAreSecret() {
        assertThat(KeyCatalog.keys().stream().filter(KeyDescription::secret).map(KeyDescription::name))
                .contains(
                        "canal.passwd",
                        "canal.instance.dbPassword",
                        "canal.instance.tsdb.dbPassword",
                        "canal.tcp.tls.keyStorePassword",
                        "canal.instance.standby.trustCertificateKeyStorePassword",
                        "canal.aliyun.accessKey",
                        "canal.mq.password")
                .doesNotContain("canal.user", "canal.instance.dbUsername", "canal.mq.messageKey");
    }

    /** What shows settings that no definition is known for, such as those of a changed line, goes by the name alone. */
    @Test
    void aSecretKeyIsRecognizedByItsName() {
        assertThat(KeyCatalog.keys().stream().filter(KeyDescription::secret).map(KeyDescription::name))
                .allMatch(Key::isSecret);
    }

    @Test
    void itsJsonHasEachKeyWithItsFields() throws Exception {
        JsonNode all = new ObjectMapper().readTree(KeyCatalog.json());

        Set<String> names = new HashSet<>();
        all.get("keys").forEach(key -> names.add(key.get("name").asText()));
        assertThat(names).hasSize(KeyCatalog.keys().size());
        assertThat(all.get("connectorPrefixes"))
                .hasToString("[\"kafka.\",\"rocketmq.\",\"rabbitmq.\",\"pulsarmq.\",\"stdout.\"]");
        assertThat(named(all, "canal.mq.retry.pause.first")).isEqualTo(new ObjectMapper().readTree("""
                {
                  "name": "canal.mq.retry.pause.first",
                  "scope": "instance",
                  "group": "An instance: what does not reach the queue",
                  "type": "integer",
                  "allowed": "a whole number of milliseconds, at least 1",
                  "unit": "milliseconds",
                  "default": "100",
                  "description": "The first back-off after a failure that may pass; each further one is twice as long, less up to half \
                at random. Retries never end.",
                  "change": "reload",
                  "support": "now",
                  "ours": true,
                  "secret": false
                }"""));
        assertThat(named(all, "canal.metrics.tls.clientAuth").get("choices"))
                .hasToString("[\"NONE\",\"WANT\",\"NEED\"]");
        assertThat(named(all, "canal.metrics.tls.clientAuth").get("change").asText())
                .isEqualTo("restart");
        assertThat(named(all, "canal.alarm.webhook.repeats").get("change").asText())
                .isEqualTo("reload");
        assertThat(named(all, "canal.metrics.tls.clientAuth").has("blocking")).isFalse();
        for (String name : KeyCatalog.blockingKeys()) {
            assertThat(named(all, name).get("blocking").asBoolean()).isTrue();
            assertThat(named(all, name).get("change").asText()).isEqualTo("restart");
        }
        assertThat(named(all, "canal.instance.timezone").get("defaultText").asText())
                .isEqualTo("the JVM's time zone, as with canal");
        JsonNode rejected = named(all, "canal.instance.multi.stream.on");
        assertThat(rejected.get("support").asText()).isEqualTo("refused");
        assertThat(rejected.get("reason").asText()).contains("PolarDB-X");
        assertThat(rejected.has("description")).isFalse();
    }

    private static JsonNode named(JsonNode all, String name) {
        for (JsonNode key : all.get("keys")) {
            if (key.get("name").asText().equals(name)) {
                return key;
            }
        }
        throw new AssertionError("no key " + name);
    }
}
