package io.sluice.server.port;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.junit.jupiter.api.Test;

class AdmissionTest {
    private final Admission admission = new Admission(6, 3);

    private static Channel from(String address) {
        return new EmbeddedChannel() {
            @Override
            protected SocketAddress remoteAddress0() {
                return new InetSocketAddress(address, 4711);
            }
        };
    }

    @Test
    void aNetworkWithManyConnectionsMakesRoomFirst() {
        Channel other = from("192.0.2.1");
        Channel oldest = from("2001:db8::1");
        assertThat(admission.add(other)).isNull();
        assertThat(admission.add(oldest)).isNull();
        assertThat(admission.add(from("2001:db8::2"))).isNull();

        assertThat(admission.add(from("2001:db8::3"))).isSameAs(oldest);

        assertThat(admission.authenticated(oldest)).isFalse();
        assertThat(admission.authenticated(other)).isTrue();
    }

    @Test
    void theOldestMakesRoomIfEachIsOfAnotherNetwork() {
        Channel first = from("192.0.2.1");
        Channel second = from("192.0.2.2");
        admission.add(first);
        admission.add(second);
        admission.add(from("192.0.2.3"));

        assertThat(admission.add(from("192.0.2.4"))).isSameAs(first);
        assertThat(admission.add(from("192.0.2.5"))).isSameAs(second);
        assertThat(admission.size()).isEqualTo(3);
    }

    @Test
    void whoHasLoggedInKeepsTheConnection() {
        for (int i = 0; i < 6; i++) {
            Channel known = from("192.0.2.1");
            assertThat(admission.add(known)).isNull();
            assertThat(admission.authenticated(known)).isTrue();
        }
        Channel stranger = from("192.0.2.2");
        assertThat(admission.add(stranger)).isSameAs(stranger);
    }
}
