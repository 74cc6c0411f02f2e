package io.sluice.connector.api.producer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProducerIdentityTest {
    private static final Ownership SHARED = new Ownership() {
        @Override
        public boolean isHeld() {
            return true;
        }

        @Override
        public long epoch() {
            return 5;
        }
    };

    @Test
    void isTheSameOnAllServersOfACluster() {
        assertThat(ProducerIdentity.of("shop", "", SHARED)).isEqualTo("shop");
    }

    @Test
    void isAnotherOneInAnotherDeployment() {
        String one = ProducerIdentity.of("shop", "a", SHARED);

        assertThat(one).matches("shop-[0-9a-f]{12}").isEqualTo(ProducerIdentity.of("shop", "a", SHARED));
        assertThat(ProducerIdentity.of("shop", "b", SHARED)).isNotEqualTo(one);
        assertThat(ProducerIdentity.of("shop", "a", Ownership.SOLE)).isEqualTo(one);
    }

    /** Or what its last producer had on its way could be stored after what the first one sends after the upgrade. */
    @Test
    void isTheSameAsBeforeForAServerOfItsOwnThatHasBeenUpgraded() {
        assertThat(ProducerIdentity.of("shop", ProducerIdentity.hostAndFolder(), Ownership.SOLE))
                .isEqualTo(ProducerIdentity.of("shop", "", Ownership.SOLE));
    }

    @Test
    void isThatOfTheHostAndTheFolderForAServerOfItsOwn() {
        assertThat(ProducerIdentity.of("shop", "", Ownership.SOLE))
                .matches("shop-[0-9a-f]{12}")
                .isEqualTo(ProducerIdentity.of("shop", "", Ownership.SOLE));
    }

    @Test
    void longNamesAreCutAndStayDifferent() {
        String one = ProducerIdentity.of("shop".repeat(50) + "1", "", SHARED);

        assertThat(one).hasSize(73).isNotEqualTo(ProducerIdentity.of("shop".repeat(50) + "2", "", SHARED));
    }
}
