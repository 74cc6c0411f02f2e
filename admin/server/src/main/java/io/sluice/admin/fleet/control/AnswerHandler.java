package io.sluice.admin.fleet.control;

import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.TooLongHttpContentException;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/** Takes the one answer of a connection. Its methods are called by the channel's event loop. */
final class AnswerHandler extends SimpleChannelInboundHandler<FullHttpResponse> {
    private final ControlUrl url;
    private final BooleanSupplier isSluice;
    private final CompletableFuture<ControlAnswer> result;

    AnswerHandler(ControlUrl url, BooleanSupplier isSluice, CompletableFuture<ControlAnswer> result) {
        this.url = url;
        this.isSluice = isSluice;
        this.result = result;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpResponse response) {
        byte[] body = ByteBufUtil.getBytes(response.content());
        if (response.decoderResult().isFailure()) {
            result.completeExceptionally(Failures.of(new NamedFailure(notHttp(url)), url));
        } else if (response.status().code() / 100 == 2) {
            result.complete(new ControlAnswer(body));
        } else {
            result.completeExceptionally(Failures.of(response, body, url, isSluice.getAsBoolean()));
        }
    }

    static String notHttp(ControlUrl url) {
        return "what answers at %s does not speak HTTP as a Sluice server does: check address, port, and https or http"
                .formatted(url);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        result.completeExceptionally(
                Failures.of(new NamedFailure("%s has closed the connection without an answer".formatted(url)), url));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        Throwable shown = cause;
        if (cause instanceof TooLongHttpContentException) {
            shown = new NamedFailure("%s answers with more than is read here".formatted(url));
        }
        result.completeExceptionally(Failures.of(shown, url));
        Channels.close(context.channel());
    }
}
