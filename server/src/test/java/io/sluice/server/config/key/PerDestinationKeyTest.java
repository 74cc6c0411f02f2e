package io.sluice.server.config.key;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.config.text.Key;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PerDestinationKeyTest {
    @ParameterizedTest
    @CsvSource({
        "canal.instance.shop.lazy, shop",
        "canal.instance.shop.eu.spring.xml, shop.eu",
        "canal.instance.global.mode, global",
        "canal.instance.till.manager.address, till",
        "canal.instance.lazy, ''",
        "canal.instance..lazy, ''",
        "canal.instance.shop.lazyy, ''",
        "canal.lazy, ''",
    })
    void aNameOfOneNamesItsDestination(String name, String destination) {
        assertThat(Keys.destinationIn(name).orElse("")).isEqualTo(destination);
    }

    @Test
    void thatOfAllDestinationsIsAmongTheKeys() {
        for (PerDestinationKey<?> key : Keys.perDestination()) {
            Key<?> ofAll = Objects.requireNonNull(Keys.find("canal.instance.global" + key.suffix()));
            assertThat(ofAll).isEqualTo(key.ofAll());
            assertThat(PerDestinationKey.isOfAll(ofAll.name())).isTrue();
        }
        assertThat(Keys.all().stream().map(Key::name).filter(PerDestinationKey::isOfAll))
                .hasSameSizeAs(Keys.perDestination());
        assertThat(PerDestinationKey.isOfAll("canal.instance.globals.lazy")).isFalse();
    }
}
