package io.sluice.server.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.protocol.packet.ClientAuth;
import io.sluice.protocol.packet.Packet;
import io.sluice.protocol.packet.PacketType;
import io.sluice.server.port.StallGuard;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectionTest {
    private final Deque<Runnable> work = new ArrayDeque<>();

    /** As that of a client with a short time limit while the subscription waits for a disk. A guard that is added later is never removed. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aLoginWhoseClientHasGoneWhileItWasSubscribedAddsNoGuard(boolean hasGone) {
        EmbeddedChannel channel = ConnectionFuzzTest.open(work::add);
        channel.writeInbound(Unpooled.wrappedBuffer(ConnectionFuzzTest.frame(Packet.newBuilder()
                .setType(PacketType.CLIENTAUTHENTICATION)
                .setBody(ClientAuth.newBuilder()
                        .setDestination("example")
                        .setClientId("1001")
                        .build()
                        .toByteString())
                .build()
                .toByteArray())));
        assertThat(work).hasSize(1);
        if (hasGone) {
            channel.close().syncUninterruptibly();
        }

        work.remove().run();
        channel.runPendingTasks();

        assertThat(channel.pipeline().get(StallGuard.class) == null).isEqualTo(hasGone);
        channel.finishAndReleaseAll();
    }
}
