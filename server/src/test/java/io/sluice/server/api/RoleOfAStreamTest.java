package io.sluice.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.sluice.server.EndlessExecutor;
import io.sluice.server.config.port.ControlRole;
import io.sluice.server.control.AuditLog;
import io.sluice.server.control.LogFiles;
import io.sluice.server.port.Admission;
import io.sluice.server.port.LoginDelay;
import io.sluice.server.port.RejectionLog;
import io.sluice.server.port.UnsentAnswers;
import io.sluice.testkit.time.HandTime;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A stream of events ends when the role of its token does not suffice for it any more. */
class RoleOfAStreamTest {
    @TempDir
    private Path home;

    private final HandTime time = new HandTime();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final Admission admission = new Admission(10, 10);
    private Path access;
    private AccessList tokens;
    private String token = "";

    @BeforeEach
    void addToken() throws Exception {
        access = home.resolve("control-access");
        token = TokenFile.add(access, "ops", ControlRole.ADMINISTRATOR);
        tokens = new AccessList(access, time, AtOnce.EXECUTOR, TokenFile::read);
    }

    @AfterEach
    void close() {
        tokens.close();
        timer.shutdownNow();
    }

    @Test
    void valuesAreNotShownAnyLongerThanTheRoleIsThatOfAnAdministrator() throws Exception {
        EmbeddedChannel channel = stream("?values=shown");
        pass(channel);
        assertThat(channel.isActive()).isTrue();

        setRole("operator");
        pass(channel);

        assertThat(channel.isActive()).isFalse();
        channel.finishAndReleaseAll();
    }

    @Test
    void maskedValuesAreShownToASmallerRoleToo() throws Exception {
        EmbeddedChannel channel = stream("");
        setRole("viewer");
        pass(channel);

        assertThat(channel.isActive()).isTrue();
        channel.finishAndReleaseAll();
    }

    private void setRole(String role) throws Exception {
        Files.writeString(access, Files.readString(access).replace("ops administrator ", "ops " + role + " "));
        assertThat(TokenFile.read(access).get(0).role().spelling()).isEqualTo(role);
    }

    /** Until the next check of the token. */
    private void pass(EmbeddedChannel channel) {
        time.pass(Duration.ofSeconds(6));
        channel.advanceTimeBy(6, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
    }

    private EmbeddedChannel stream(String query) {
        EmbeddedChannel channel = new EmbeddedChannel(
                new HttpServerCodec(), new HttpObjectAggregator(65_536, true), new ApiHandler(context()));
        admission.add(channel);
        channel.freezeTime();
        channel.writeInbound(Unpooled.copiedBuffer(
                "GET /api/v1/instances/shop/changes" + query + " HTTP/1.1\r\nAuthorization: Bearer " + token
                        + "\r\n\r\n",
                StandardCharsets.US_ASCII));
        tasks.remove().run(); // the call; the stream itself is not followed
        channel.runPendingTasks();
        assertThat(channel.outboundMessages()).isNotEmpty();
        return channel;
    }

    private ApiContext context() {
        AuditLog audit = new AuditLog(time);
        RecordingOperations operations = new RecordingOperations();
        EndlessExecutor workers = new EndlessExecutor() {
            @Override
            public void execute(Runnable task) {
                tasks.add(task);
            }
        };
        return new ApiContext(
                new ControlRoutes(
                        operations, new EventStreams(timer, workers, workers, time), new LogFiles(home), audit, time),
                new Authentication(tokens, Map.of(), LoginDelay.ofTokens(time), audit),
                admission,
                new CallerLimit(10),
                new CallerLimit(10),
                new RejectionLog(time),
                workers,
                new AuditedCalls(operations, audit, time),
                new UnsentAnswers(UnsentAnswers.MOST_BYTES));
    }
}
