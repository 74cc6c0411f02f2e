package io.sluice.connector.api.producer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProducerIdentityTest {
    @Test
    void isTheSameInADeploymentAndAnotherOneInAnother() {
        String one = ProducerIdentity.of("shop", "a");

        assertThat(one).matches("shop-[0-9a-f]{12}").isEqualTo(ProducerIdentity.of("shop", "a"));
        assertThat(ProducerIdentity.of("shop", "b")).isNotEqualTo(one);
    }

    @Test
    void isThatOfTheHostAndTheFolderWithoutAnId() {
        assertThat(ProducerIdentity.of("shop", ""))
                .matches("shop-[0-9a-f]{12}")
                .isEqualTo(ProducerIdentity.of("shop", ""));
    }

    @Test
    void longNamesAreCutAndStayDifferent() {
        String one = ProducerIdentity.of("shop".repeat(50) + "1", "a");

        assertThat(one).hasSize(73).isNotEqualTo(ProducerIdentity.of("shop".repeat(50) + "2", "a"));
    }
}
