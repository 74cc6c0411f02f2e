package io.sluice.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.server.port.UnsentAnswers;
import org.junit.jupiter.api.Test;

class EventSinkTest {
    private static final JsonNode LARGE = TextNode.valueOf("a".repeat(100_000));

    private final UnsentAnswers unsent = new UnsentAnswers(1_000_000);
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final EventSink sink = new EventSink(channel, unsent, "a.viewer");

    @Test
    void theStateIsSentWhateverOtherCallersHaveNotRead() {
        assertThat(unsent.add("other.viewer", 1_000_000)).isTrue();

        assertThat(sink.send("change", LARGE)).isFalse();
        assertThat(sink.send("idle", TextNode.valueOf(""))).isTrue();
        assertThat(sink.send(EventStreams.STATE, LARGE)).isTrue();
        assertThat(channel.outboundMessages()).hasSize(2);
        channel.finishAndReleaseAll();
    }
}
