package io.sluice.connector.api.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProducerOptionsTest {
    private static final OptionKeys KEYS = new OptionKeys(
            "bus.",
            Set.of("bus.host", "bus.channels", "bus.mandatory", "bus.limit.ms", "bus.ca", "canal.uid"),
            Set.of("bus.group"));

    private static ProducerOptions options(Map<String, String> properties) {
        return new ProducerOptions(KEYS, properties);
    }

    @Test
    void valuesHaveTheirTypes(@TempDir Path folder) throws Exception {
        Path file = Files.createFile(folder.resolve("ca.pem"));
        ProducerOptions options = options(Map.of(
                "bus.host", " a:1 ",
                "bus.channels", "256",
                "bus.mandatory", "FALSE",
                "bus.limit.ms", "1500",
                "bus.ca", file.toString(),
                "canal.uid", "7"));

        assertThat(options.text("bus.host")).isEqualTo("a:1");
        assertThat(options.number("bus.channels", 4, 1, 256)).isEqualTo(256);
        assertThat(options.flag("bus.mandatory", true)).isFalse();
        assertThat(options.millis("bus.limit.ms", 100, 100, 5_000)).isEqualTo(Duration.ofMillis(1_500));
        assertThat(options.file("bus.ca")).isEqualTo(file);
        assertThat(options.text("canal.uid")).isEqualTo("7");
        options.requireValid();
    }

    @Test
    void aBlankValueIsNotSet() {
        ProducerOptions options = options(Map.of("bus.channels", " ", "bus.mandatory", ""));

        assertThat(options.text("bus.host")).isEmpty();
        assertThat(options.number("bus.channels", 4, 1, 256)).isEqualTo(4);
        assertThat(options.flag("bus.mandatory", true)).isTrue();
        assertThat(options.file("bus.ca")).isNull();
        options.requireValid();
    }

    @Test
    void allProblemsAreReportedTogetherAndTheDefaultsReadMeanwhile() {
        ProducerOptions options = options(Map.of(
                "bus.channels", "257",
                "bus.mandatory", "maybe",
                "bus.limit.ms", "soon",
                "bus.ca", "/no/such/ca.pem",
                "bus.chanels", "3",
                "bus.nothing.like.it", "x",
                "kafka.acks", "all",
                "canal.udi", "7"));

        assertThat(options.number("bus.channels", 4, 1, 256)).isEqualTo(4);
        assertThat(options.flag("bus.mandatory", true)).isTrue();
        assertThat(options.millis("bus.limit.ms", 100, 100, 5_000)).isEqualTo(Duration.ofMillis(100));
        assertThat(options.file("bus.ca")).isNull();
        options.problem("bus.host", "missing");
        assertThat(catchThrowableOfType(ProducerConfigException.class, options::requireValid)
                        .problems())
                .extracting(ConfigProblem::toString)
                .containsExactly(
                        "bus.channels: 257 must be a whole number from 1 to 256",
                        "bus.mandatory: maybe must be true or false",
                        "bus.limit.ms: soon must be a whole number from 100 to 5000",
                        "bus.ca: there is no readable file /no/such/ca.pem",
                        "bus.host: missing",
                        "bus.chanels: there is no such key; did you mean bus.channels?",
                        "bus.nothing.like.it: there is no such key");
    }

    @Test
    void keysOfConsumersHaveNoEffectAndAreNoted() {
        ProducerOptions options = options(Map.of("bus.group", "g"));
        options.correction("bus.mandatory", "the broker drops what no queue takes");
        options.requireValid();

        assertThat(options.corrections())
                .containsExactly(
                        "bus.group: ignored, it is for consumers",
                        "bus.mandatory: the broker drops what no queue takes");
        assertThat(KEYS.knows("bus.group")).isTrue();
        assertThat(KEYS.knows("bus.host")).isTrue();
        assertThat(KEYS.knows("bus.other")).isFalse();
    }

    /** Or it would be accepted and not be among the keys that are known. */
    @Test
    void noOtherKeyIsRead() {
        ProducerOptions options = options(Map.of());

        assertThatThrownBy(() -> options.text("bus.other"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("bus.other");
    }
}
