package io.sluice.server.config.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.sluice.connector.api.producer.Spelling;
import io.sluice.server.config.text.Key;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeysTest {
    @Test
    void everyDefaultIsAllowed() {
        for (Key<?> key : Keys.all()) {
            if (!key.standard().isEmpty()) {
                assertThatCode(() -> key.type().parser().apply(key.standard()))
                        .as(key.name())
                        .doesNotThrowAnyException();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "canal.prot, canal.port",
        "canal.instance.master.adress, canal.instance.master.address",
        "canal.mq.flatmessage, canal.mq.flatMessage",
        "canal.instance.filter.black.regexp, canal.instance.filter.black.regex",
        "canal.instance.dbusername, canal.instance.dbUsername",
        "canal.instance.defaultDatabase, canal.instance.defaultDatabaseName",
    })
    void theMostSimilarKeyIsSuggested(String wrong, String meant) {
        assertThat(Spelling.nearest(wrong, Keys.all().stream().map(Key::name).toList()))
                .hasValue(meant);
    }

    @ParameterizedTest
    @ValueSource(strings = {"spring.datasource.url", "canal.instance.bogus", "canal.instance.global.abcd"})
    void noKeyIsSuggestedForAVeryDifferentName(String name) {
        assertThat(Spelling.nearest(name, Keys.all().stream().map(Key::name).toList()))
                .isEmpty();
    }

    @Test
    void aTranspositionIsOneMistake() {
        assertThat(Spelling.distance("port", "prot")).isEqualTo(1);
        assertThat(Spelling.distance("port", "")).isEqualTo(4);
        assertThat(Spelling.distance("port", "sport")).isEqualTo(1);
    }
}
