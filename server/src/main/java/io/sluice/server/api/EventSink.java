package io.sluice.server.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
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

/**
 * Writes events as text/event-stream has them.
 *
 * @param unsent counts the events that have not left yet, but for those of {@link EventStreams#STATE}, of which the streams of a tick share one; none is sent if these are too many
 * @param caller the name of the caller
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails to be written or closed closes the channel
record EventSink(Channel channel, UnsentAnswers unsent, String caller) implements ApiAnswer.Sink {
    private static final StreamedEvent END = StreamedEvent.of("end", JsonNodeFactory.instance.objectNode());

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
    public boolean send(StreamedEvent event) {
        if (!isReady()) {
            return false;
        }
        // A stream has one state at most that has not left, and one that is left out would make the server look
        // unreachable.
        int bytes = event.name().equals(EventStreams.STATE) ? 0 : event.text().length;
        if (!unsent.add(caller, bytes)) {
            return false;
        }
        channel.writeAndFlush(new DefaultHttpContent(Unpooled.wrappedBuffer(event.text())))
                .addListener(sent -> unsent.remove(caller, bytes));
        return true;
    }

    /** With the last chunk: a client that finds the connection closed without it discards what it has not read yet. */
    @Override
    public void end() {
        channel.writeAndFlush(new DefaultLastHttpContent(Unpooled.wrappedBuffer(END.text())))
                .addListener(ChannelFutureListener.CLOSE);
    }

    @Override
    public boolean isReady() {
        return channel.isActive() && channel.isWritable();
    }
}
