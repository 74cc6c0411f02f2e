package io.sluice.server.api;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpServerCodec;
import io.sluice.protocol.time.Time;
import io.sluice.server.HandWorkers;
import io.sluice.server.config.port.ControlRole;
import io.sluice.server.control.AuditLog;
import io.sluice.server.control.LogFiles;
import io.sluice.server.port.Admission;
import io.sluice.server.port.LoginDelay;
import io.sluice.server.port.RejectionLog;
import io.sluice.server.port.UnsentAnswers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A connection to the control API whose calls are run when the test says so, and whose time passes only so. */
final class ApiChannel implements AutoCloseable {
    /** The calls of the caller that may be run at once. */
    static final int MAX_RUNNING = 10;

    private final HandWorkers workers = new HandWorkers();
    private final RejectionLog rejections = new RejectionLog(Time.SYSTEM);
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final EmbeddedChannel channel;
    private final String token;

    /** @param home for its files */
    ApiChannel(Path home) throws IOException {
        Path access = home.resolve("control-access");
        token = TokenFile.add(access, "an.operator", ControlRole.OPERATOR);
        Admission admission = new Admission(10, 10);
        ApiContext context = context(home, access, new RecordingOperations(), timer, workers, admission, rejections);
        channel = new EmbeddedChannel(new HttpServerCodec(), new RequestBodies(), new ApiHandler(context));
        admission.add(channel);
        channel.freezeTime();
    }

    /** What handlers of such connections share. */
    static ApiContext context(
            Path home,
            Path access,
            RecordingOperations operations,
            ScheduledExecutorService timer,
            HandWorkers workers,
            Admission admission,
            RejectionLog rejections) {
        AuditLog audit = new AuditLog(Time.SYSTEM);
        return new ApiContext(
                new ControlRoutes(
                        operations,
                        new EventStreams(timer, workers, workers, Time.SYSTEM),
                        new LogFiles(home),
                        audit,
                        Time.SYSTEM),
                new Authentication(
                        new AccessList(access, Time.SYSTEM, AtOnce.EXECUTOR, TokenFile::read),
                        Map.of(),
                        LoginDelay.ofTokens(Time.SYSTEM),
                        audit),
                admission,
                new CallerLimit(10),
                new CallerLimit(MAX_RUNNING),
                rejections,
                workers,
                new AuditedCalls(operations, audit, Time.SYSTEM),
                new UnsentAnswers(UnsentAnswers.MOST_BYTES));
    }

    void send(String text) {
        channel.writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII));
    }

    /** A call that takes until {@link #runCalls}. */
    String call() {
        return "POST /api/v1/instances/shop/start HTTP/1.1\r\nAuthorization: Bearer " + token + "\r\n\r\n";
    }

    /** A call that is answered by events from {@link #runCalls} on. */
    String callForEvents() {
        return "GET /api/v1/events?interval=3600 HTTP/1.1\r\nAuthorization: Bearer " + token + "\r\n\r\n";
    }

    /** Runs the calls that were sent, one after the other. */
    void runCalls() {
        while (!workers.isIdle()) {
            workers.runAll();
            channel.runPendingTasks();
        }
    }

    /** Says whether all workers are busy with calls of others. */
    void setBusy(boolean isBusy) {
        workers.setFull(isBusy);
    }

    /** What has been sent to the caller since this was called last. */
    String received() {
        StringBuilder all = new StringBuilder();
        for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
            all.append(part.toString(StandardCharsets.US_ASCII));
            part.release();
        }
        return all.toString();
    }

    void pass(int seconds) {
        channel.advanceTimeBy(seconds, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
    }

    boolean isOpen() {
        return channel.isOpen();
    }

    /** How many times it is in the log why the connection was closed. */
    long rejections() {
        return rejections.total();
    }

    @Override
    public void close() {
        channel.finishAndReleaseAll();
        timer.shutdownNow();
    }
}
