package io.sluice.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.util.ReferenceCountUtil;
import io.sluice.protocol.time.Time;
import io.sluice.server.config.port.ControlRole;
import io.sluice.server.control.AuditLog;
import io.sluice.server.control.LogFiles;
import io.sluice.server.port.Admission;
import io.sluice.server.port.LoginDelay;
import io.sluice.server.port.RejectionLog;
import io.sluice.server.port.UnsentAnswers;
import io.sluice.testkit.process.Folders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.Test;

/** Whatever a caller sends, it is answered by HTTP, or its connection is closed; without a token nothing is done. */
class ApiFuzzTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final ScheduledExecutorService TIMER = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "fuzz-timer");
        thread.setDaemon(true);
        return thread;
    });

    private static final Path FILE;
    private static final String TOKEN;

    static {
        try {
            FILE = Folders.temporary("sluice-api-fuzz-").resolve("control-access");
            TOKEN = TokenFile.add(FILE, "fuzz", ControlRole.ADMINISTRATOR);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @FuzzTest(maxDuration = "60s")
    void bytesWithoutALoginChangeNothing(byte[] anything) {
        RecordingOperations operations = new RecordingOperations();
        EmbeddedChannel channel = open(operations);
        feed(channel, anything);
        assertThat(operations.calls()).isEmpty();
        channel.finishAndReleaseAll();
    }

    @FuzzTest(maxDuration = "60s")
    void whatACallerWithATokenSendsIsAnswered(byte[] anything) {
        EmbeddedChannel channel = open(new RecordingOperations());
        feed(
                channel,
                ("POST /api/v1/instances/shop/pause HTTP/1.1\r\nAuthorization: Bearer " + TOKEN
                                + "\r\nContent-Type: application/json\r\nContent-Length: " + anything.length
                                + "\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        feed(channel, anything);
        Object answer = channel.readOutbound();
        assertThat(answer).isNotNull();
        ReferenceCountUtil.release(answer);
        channel.finishAndReleaseAll();
    }

    /** Whatever texts are sent to be tried: nothing but a port of this machine where nothing listens is connected to. */
    @FuzzTest(maxDuration = "60s")
    void textsThatAreToBeTriedAreAnswered(byte[] anything) {
        String text = new String(anything, StandardCharsets.ISO_8859_1);
        if (text.contains("address") || text.contains("hosts") || text.contains("$") || text.contains("\\")) {
            return; // whom it connects to is the caller's choice
        }
        for (String call : List.of("connect", "tables")) {
            byte[] body = JSON.createObjectNode()
                    .put("canal.properties", "canal.serverMode = tcp\ncanal.ip = 127.0.0.1\n")
                    .put("instance.properties", "canal.instance.master.address = 127.0.0.1:1\n" + text)
                    .toString()
                    .getBytes(StandardCharsets.UTF_8);
            EmbeddedChannel channel = open(new RecordingOperations());
            feed(
                    channel,
                    ("POST /api/v1/config/" + call + " HTTP/1.1\r\nAuthorization: Bearer " + TOKEN
                                    + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length
                                    + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            feed(channel, body);
            ByteBuf answer = channel.readOutbound();
            assertThat(answer).isNotNull();
            assertThat(answer.toString(StandardCharsets.US_ASCII)).matches("(?s)HTTP/1.1 (200|400) .*");
            answer.release();
            channel.finishAndReleaseAll();
        }
    }

    /** The fuzzer's corpus may be small where it is only replayed; these are new each time. */
    @Test
    void randomBytesChangeNothing() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < 500; i++) {
            byte[] bytes = new byte[random.nextInt(300)];
            random.nextBytes(bytes);
            try {
                bytesWithoutALoginChangeNothing(bytes);
                whatACallerWithATokenSendsIsAnswered(bytes);
                if (i % 50 == 0) { // each of these opens connections
                    textsThatAreToBeTriedAreAnswered(bytes);
                }
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("seed " + seed + " run " + i, e);
            }
        }
    }

    private static EmbeddedChannel open(RecordingOperations operations) {
        ExecutorService here = AtOnce.EXECUTOR;
        Admission admission = new Admission(10, 10);
        ApiContext shared = new ApiContext(
                new ControlRoutes(
                        operations,
                        new EventStreams(TIMER, here, here, Time.SYSTEM),
                        new LogFiles(Path.of("none")),
                        new AuditLog(Time.SYSTEM),
                        Time.SYSTEM),
                new Authentication(
                        new AccessList(FILE, Time.SYSTEM, here, TokenFile::read),
                        Map.of(),
                        LoginDelay.ofTokens(Time.SYSTEM),
                        new AuditLog(Time.SYSTEM)),
                admission,
                new CallerLimit(10),
                new CallerLimit(10),
                new RejectionLog(Time.SYSTEM),
                here,
                new AuditedCalls(operations, new AuditLog(Time.SYSTEM), Time.SYSTEM),
                new UnsentAnswers(UnsentAnswers.MOST_BYTES));
        EmbeddedChannel channel =
                new EmbeddedChannel(new HttpServerCodec(), new RequestBodies(), new ApiHandler(shared));
        admission.add(channel);
        return channel;
    }

    private static void feed(EmbeddedChannel channel, byte[] bytes) {
        if (channel.isActive()) {
            channel.writeInbound(Unpooled.wrappedBuffer(bytes));
            channel.runPendingTasks();
        }
        channel.checkException();
    }
}
