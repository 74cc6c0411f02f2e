package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.time.Time;
import io.sluice.server.api.ApiPort;
import io.sluice.server.api.TokenFile;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.port.ControlConfig;
import io.sluice.server.config.port.ControlRole;
import io.sluice.server.control.CommandRejectedException;
import io.sluice.server.control.LogFiles;
import io.sluice.server.control.Operations;
import io.sluice.server.instance.Instance;
import io.sluice.store.cursor.Subscription;
import io.sluice.store.cursor.file.FileCursorEditor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A change of a cursor takes minutes before it begins, and its caller waits no more. */
@Timeout(300)
class AbandonedCursorChangeTest {
    private static final String NAME = "shop";
    private static final Subscription SENDER = new Subscription(
            Subscription.QUEUE_CLIENT, "", new Cursor("db1", 3306, new BinlogPosition("binlog.000001", 700), "", 1, 1));

    @TempDir
    private Path home;

    private final CountDownLatch isPlanning = new CountDownLatch(1);

    /** What the first plan comes to that is made when the caller is gone. */
    private final CompletableFuture<Throwable> outcome = new CompletableFuture<>();

    @Test
    void aCursorIsNotChangedForACallerThatIsGoneBeforeTheInstanceIsStopped() throws Exception {
        ServerFiles files = new ServerFiles(home);
        Path cursors = home.resolve("cursors");
        files.writeShop(cursors);
        new FileCursorEditor(cursors, NAME).replace(List.of(SENDER));
        Path access = home.resolve("control-access");
        String token = TokenFile.add(access, "an.operator", ControlRole.ADMINISTRATOR);
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        SluiceServer server = files.start();
        Instance before = server.instances().get(0);
        try (ApiPort port = ApiPort.open(
                        new ControlConfig("127.0.0.1", 0, access, Map.of(), Optional.empty()),
                        planningUntilTheCallerIsGone(server.operations()),
                        new LogFiles(home.resolve("logs")),
                        timer,
                        Time.SYSTEM)
                .orElseThrow()) {
            try (Socket caller =
                    new Socket(port.address().getAddress(), port.address().getPort())) {
                String body = "{\"restart\":true}";
                caller.getOutputStream()
                        .write(
                                ("POST /api/v1/instances/shop/cursor/delete HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer "
                                                + token + "\r\nContent-Type: application/json\r\nContent-Length: "
                                                + body.length() + "\r\n\r\n" + body)
                                        .getBytes(StandardCharsets.US_ASCII));
                isPlanning.await();
            }

            assertThat(outcome.get(90, TimeUnit.SECONDS))
                    .isInstanceOf(CommandRejectedException.class)
                    .hasMessageContaining("the caller has closed its connection");
            assertThat(server.instances()).containsExactly(before);
            assertThat(new FileCursorEditor(cursors, NAME).read()).containsExactly(SENDER);
        } finally {
            timer.shutdownNow();
            server.stop(Duration.ZERO);
        }
    }

    private Operations planningUntilTheCallerIsGone(Operations operations) {
        return (Operations) Proxy.newProxyInstance(
                Operations.class.getClassLoader(), new Class<?>[] {Operations.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("whileStopped")) {
                        return operations.whileStopped(NAME, next -> plan(plan(arguments[1]), next));
                    }
                    try {
                        return method.invoke(operations, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @SuppressWarnings("unchecked") // the second parameter of whileStopped
    private static Function<InstanceConfig, Runnable> plan(Object argument) {
        return (Function<InstanceConfig, Runnable>) argument;
    }

    private Runnable plan(Function<InstanceConfig, Runnable> plan, InstanceConfig next) {
        isPlanning.countDown();
        Throwable refusal = await().atMost(Duration.ofSeconds(60))
                .until(() -> catchThrowable(() -> plan.apply(next)), failure -> failure != null);
        outcome.complete(refusal);
        return plan.apply(next);
    }
}
