package io.sluice.admin.fleet.watch;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.admin.address.AddressResolver;
import io.sluice.admin.canal.ManagementClient;
import io.sluice.admin.canal.ManagementFailure;
import io.sluice.admin.canal.ManagementRequest;
import io.sluice.admin.problem.FailureKind;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** Watches a server that has no control API: asks its management port every ten seconds. Thread-safe. */
public final class CanalWatch implements ServerWatch {
    private static final Duration INTERVAL = Duration.ofSeconds(10);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final String host;
    private final int port;
    private final AddressResolver resolver;
    private final ManagementClient client;
    private final Clock clock;
    private final Clock waits;

    private final StatusKeeper keeper;

    @GuardedBy("this") private Instant next = Instant.MIN;

    @GuardedBy("this") private boolean isAsking;

    @GuardedBy("this") private boolean isClosed;

    /**
     * Makes a watch that connects when it is due for the first time.
     *
     * @param clock the time of a report
     * @param waits the time by which requests are due
     */
    public CanalWatch(
            String name,
            String host,
            int port,
            AddressResolver resolver,
            ManagementClient client,
            Clock clock,
            Clock waits) {
        this.keeper = new StatusKeeper(name, "unknown");
        this.host = host;
        this.port = port;
        this.resolver = resolver;
        this.client = client;
        this.clock = clock;
        this.waits = waits;
    }

    @Override
    public ServerStatus status() {
        return keeper.status();
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // a failure becomes the status
    public void tick() {
        synchronized (this) {
            Instant now = waits.instant();
            if (isClosed || isAsking || now.isBefore(next)) {
                return;
            }
            isAsking = true;
            next = now.plus(INTERVAL);
        }
        resolver.resolve(host, false)
                .thenCompose(address -> client.ask(
                        new InetSocketAddress(address, port),
                        List.of(ManagementRequest.server("check"), ManagementRequest.server("list")),
                        TIMEOUT))
                .whenComplete(this::answered);
    }

    private synchronized void answered(@Nullable List<String> answers, @Nullable Throwable failure) {
        isAsking = false;
        if (isClosed) {
            return;
        }
        if (answers != null) {
            boolean isRunning = answers.get(0).equals("1");
            keeper.set(new ServerStatus(
                    "canal",
                    isRunning ? ServerState.RUNNING : ServerState.STOPPED,
                    isRunning ? null : "it was stopped; its management port still answers",
                    null,
                    OwnProblems.NONE,
                    clock.instant(),
                    instances(answers.get(1))));
            return;
        }
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        keeper.fail(
                cause instanceof ManagementFailure known ? known.kind() : FailureKind.UNREACHABLE,
                cause == null ? "it does not answer" : String.valueOf(cause.getMessage()));
    }

    private static List<InstanceReport> instances(String names) {
        return Arrays.stream(names.split(",", -1))
                .map(String::strip)
                .filter(one -> !one.isEmpty() && one.length() <= 200)
                .distinct()
                .limit(5000)
                .map(InstanceReport::running)
                .toList();
    }

    @Override
    public synchronized void hurry() {
        next = Instant.MIN;
    }

    @Override
    public synchronized void close() {
        isClosed = true;
    }
}
