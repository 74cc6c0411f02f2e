package io.sluice.admin.fleet.control;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Reads a stream of events until it ends. Its methods are called by the channel's event loop, but for {@link #isOpened}. */
final class StreamHandler extends SimpleChannelInboundHandler<HttpObject> {
    private static final int MAX_PROBLEM_BYTES = 64 * 1024;

    private final ControlUrl url;
    private final BooleanSupplier isSluice;
    private final ControlStream stream;
    private final EventParser parser;
    private final ByteBuf problem = Unpooled.buffer(0, MAX_PROBLEM_BYTES);
    private @Nullable HttpResponse failed;
    private volatile boolean isOpened;
    private volatile Runnable whenOver = () -> {};

    StreamHandler(ControlUrl url, BooleanSupplier isSluice, ControlStream stream, int maxEventBytes) {
        this.url = url;
        this.isSluice = isSluice;
        this.stream = stream;
        this.parser = new EventParser(maxEventBytes, this::event);
    }

    private void event(String name, String data) {
        if (!stream.isOver()) {
            stream.listener().event(name, data);
        }
    }

    /** Whether the server has answered that there will be events. By any thread. */
    boolean isOpened() {
        return isOpened;
    }

    void whenOver(Runnable action) {
        whenOver = action;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, HttpObject part) {
        if (part.decoderResult().isFailure()) {
            end(context, new NamedFailure(AnswerHandler.notHttp(url)));
            return;
        }
        if (part instanceof HttpResponse response) {
            begin(context, response);
        }
        if (part instanceof HttpContent content) {
            read(context, content);
        }
    }

    private void begin(ChannelHandlerContext context, HttpResponse response) {
        boolean isStream =
                response.headers().get(HttpHeaderNames.CONTENT_TYPE, "").startsWith("text/event-stream");
        if (response.status().code() != 200) {
            failed = response;
        } else if (isStream) {
            isOpened = true;
            stream.listener().opened();
        } else {
            end(
                    context,
                    new NamedFailure("what answers at %s is no Sluice server: check address and port".formatted(url)));
        }
    }

    private void read(ChannelHandlerContext context, HttpContent content) {
        HttpResponse response = failed;
        if (response == null) {
            parser.read(content.content());
        } else {
            problem.writeBytes(
                    content.content(), Math.min(content.content().readableBytes(), problem.maxWritableBytes()));
        }
        if (!(content instanceof LastHttpContent)) {
            return;
        }
        if (response == null) {
            end(context, new NamedFailure("%s has ended the stream of its state".formatted(url)));
        } else {
            stream.end(Failures.of(response, ByteBufUtil.getBytes(problem), url, isSluice.getAsBoolean()));
            Channels.close(context.channel());
        }
    }

    private void end(ChannelHandlerContext context, Throwable why) {
        stream.end(Failures.of(why, url));
        Channels.close(context.channel());
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        whenOver.run();
        stream.end(Failures.of(new NamedFailure("%s has closed the connection".formatted(url)), url));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof IllegalStateException) {
            end(context, new NamedFailure("%s sends what is too large: %s".formatted(url, cause.getMessage())));
        } else {
            end(context, cause);
        }
    }
}
