package io.sluice.deployer;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.Security;
import org.junit.jupiter.api.Test;

class AddressCacheTest {
    @Test
    void addressesAreKeptForFiveSecondsUnlessThatIsSet() {
        System.setProperty(AddressCache.OPTION, "30");
        AddressCache.limit();
        assertThat(Security.getProperty(AddressCache.SECONDS)).isNull();

        System.clearProperty(AddressCache.OPTION);
        AddressCache.limit();
        assertThat(Security.getProperty(AddressCache.SECONDS)).isEqualTo("5");

        Security.setProperty(AddressCache.SECONDS, "6");
        AddressCache.limit();
        assertThat(Security.getProperty(AddressCache.SECONDS)).isEqualTo("6");
    }
}
