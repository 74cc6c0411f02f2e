package io.sluice.admin.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressRulesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "169.254.169.254",
                "169.254.0.1",
                "fe80::1",
                "224.0.0.1",
                "ff02::1",
                "0.0.0.0",
                "0.1.2.3",
                "::",
                "255.255.255.255",
                "100.100.100.200",
                "fd00:ec2::254",
                "fd20:ce::254",
                "168.63.129.16",
                "::ffff:0:169.254.169.254",
                "::ffff:169.254.169.254",
                "::169.254.169.254",
                "64:ff9b::a9fe:a9fe",
                "2002:a9fe:a9fe::1"
            })
    void rejectsAddressesWhereNoServerIs(String address) throws Exception {
        InetAddress resolved = InetAddress.getByName(address);

        assertThatThrownBy(() -> AddressRules.check("evil.example", resolved))
                .isInstanceOf(AddressRejectedException.class)
                .hasMessageContaining("evil.example");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "10.0.0.7",
                "192.168.1.1",
                "8.8.8.8",
                "::1",
                "fd00::7",
                "2001:db8::1",
                "64:ff9b::a00:7"
            })
    void acceptsOthers(String address) throws Exception {
        InetAddress resolved = InetAddress.getByName(address);

        assertThatCode(() -> AddressRules.check("server", resolved)).doesNotThrowAnyException();
    }

    /** What is connected to is what was checked, and a name is checked after it was looked up. */
    @Test
    void resolvesAndChecks() throws Exception {
        AddressResolver resolver = new AddressResolver();

        assertThat(resolver.resolve("localhost", true).get().isLoopbackAddress())
                .isTrue();
        assertThatThrownBy(() -> resolver.resolve("10.1.2.3", true).get())
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("sluice.admin.allow-plain-control");
        assertThatThrownBy(() -> resolver.resolve("no-such-host.invalid", false).get())
                .hasMessageContaining("no-such-host.invalid has no address");
        resolver.close();
    }
}
