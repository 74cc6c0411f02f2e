package io.sluice.server.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.server.port.UnsentAnswers;
import java.nio.charset.StandardCharsets;

/**
 * Writes events as text/event-stream has them.
 *
 * @param unsent counts the events that have not left yet, but for those of {@link EventStreams#STATE}; none is sent if these are too many
 * @param caller the name of the caller
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails to be written or closed closes the channel
record EventSink(Channel channel, UnsentAnswers unsent, String caller) implements ApiAnswer.Sink {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Sends the head of the answer, which all events follow. */
    void begin() {
        HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        head.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, "text/event-stream; charset=utf-8")
                .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
                .set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        channel.writeAndFlush(head);
    }

    @Override
    public boolean send(String name, JsonNode data) {
        if (!isReady()) {
            return false;
        }
        ByteBuf event = text(name, data);
        // A stream has one state at most that has not left, and one that is left out would make the server look
        // unreachable.
        int bytes = name.equals(EventStreams.STATE) ? 0 : event.readableBytes();
        if (!unsent.add(caller, bytes)) {
            event.release();
            return false;
        }
        channel.writeAndFlush(new DefaultHttpContent(event)).addListener(sent -> unsent.remove(caller, bytes));
        return true;
    }

    /** With the last chunk: a client that finds the connection closed without it discards what it has not read yet. */
    @Override
    public void end() {
        channel.writeAndFlush(new DefaultLastHttpContent(text("end", JSON.createObjectNode())))
                .addListener(ChannelFutureListener.CLOSE);
    }

    private static ByteBuf text(String name, JsonNode data) {
        return Unpooled.wrappedBuffer(("event: " + name + "\ndata: " + data + "\n\n").getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public boolean isReady() {
        return channel.isActive() && channel.isWritable();
    }
}
