package io.sluice.admin.fleet.live;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.admin.address.AddressResolver;
import io.sluice.admin.canal.ManagementClient;
import io.sluice.admin.canal.ManagementFailure;
import io.sluice.admin.canal.ManagementRequest;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Watches a server that has no control API: asks its management port every ten seconds. Thread-safe. */
final class CanalWatch implements ServerWatch {
    private static final Logger LOG = LoggerFactory.getLogger(CanalWatch.class);
    private static final Duration INTERVAL = Duration.ofSeconds(10);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final String name;
    private final String host;
    private final int port;
    private final AddressResolver resolver;
    private final ManagementClient client;
    private final Clock clock;
    private final Clock waits;

    private volatile ServerStatus status = ServerStatus.connecting("unknown");

    @GuardedBy("this") private Instant next = Instant.MIN;

    @GuardedBy("this") private boolean isAsking;

    @GuardedBy("this") private boolean isClosed;

    /**
     * Makes one.
     *
     * @param clock says when it was heard of
     * @param waits says what is due
     */
    CanalWatch(
            String name,
            String host,
            int port,
            AddressResolver resolver,
            ManagementClient client,
            Clock clock,
            Clock waits) {
        this.name = name;
        this.host = host;
        this.port = port;
        this.resolver = resolver;
        this.client = client;
        this.clock = clock;
        this.waits = waits;
    }

    @Override
    public ServerStatus status() {
        return status;
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // what fails is the status
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
            status = new ServerStatus(
                    "canal",
                    isRunning ? ServerState.RUNNING : ServerState.STOPPED,
                    isRunning ? null : "it was stopped; its management port still answers",
                    null,
                    null,
                    List.of(),
                    clock.instant(),
                    instances(answers.get(1)));
            return;
        }
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        boolean isUnauthorized =
                cause instanceof ManagementFailure known && known.kind() == ManagementFailure.Kind.UNAUTHORIZED;
        ServerState state = isUnauthorized ? ServerState.UNAUTHORIZED : ServerState.UNREACHABLE;
        String why = cause == null ? "it does not answer" : String.valueOf(cause.getMessage());
        if (status.state() != state) {
            LOG.warn("a server does not answer as it should: server={} state={} reason={}", name, state.text(), why);
        }
        status = status.failed(state, why);
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
