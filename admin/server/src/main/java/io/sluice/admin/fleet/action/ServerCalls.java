package io.sluice.admin.fleet.action;

import io.sluice.admin.address.AddressResolver;
import io.sluice.admin.audit.AuditLog;
import io.sluice.admin.canal.ManagementClient;
import io.sluice.admin.canal.ManagementFailure;
import io.sluice.admin.canal.ManagementRequest;
import io.sluice.admin.fleet.control.ControlAnswer;
import io.sluice.admin.fleet.control.ControlCall;
import io.sluice.admin.fleet.control.ControlClient;
import io.sluice.admin.fleet.control.ControlFailure;
import io.sluice.admin.fleet.control.ControlTarget;
import io.sluice.admin.fleet.live.FleetWatch;
import io.sluice.admin.fleet.live.ServerView;
import io.sluice.admin.fleet.server.ServerRow;
import io.sluice.admin.problem.FailureKind;
import io.sluice.admin.problem.ProblemException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

/**
 * Calls servers on behalf of a user, and waits for the answer. What a server rejects is passed on with its words; that it cannot be asked is
 * 502, with what to do. Thread-safe.
 */
@Component
public class ServerCalls {
    private static final Duration MANAGEMENT = Duration.ofSeconds(60);
    private static final long LONGEST_SECONDS = 90;
    /** Half of the threads that answer browsers. */
    static final int MOST_WAITING = 100;

    /** Statuses by which a server rejects the caller's arguments, or an instance's state; others are between the servers. */
    private static final Set<Integer> PASSED_ON = Set.of(400, 404, 409, 422, 429);

    private final FleetWatch fleet;
    private final ControlClient control;
    private final ManagementClient management;
    private final AddressResolver resolver;
    private final Semaphore waiting = new Semaphore(MOST_WAITING);

    ServerCalls(FleetWatch fleet, ControlClient control, ManagementClient management, AddressResolver resolver) {
        this.fleet = fleet;
        this.control = control;
        this.management = management;
        this.resolver = resolver;
    }

    /**
     * Calls the control API of a server, on behalf of the user of this thread.
     *
     * @throws ProblemException with the answer of the server, or 502
     */
    public ControlAnswer call(ServerRow server, ControlCall call) {
        return limited(() -> waitFor(start(server, call), server), server);
    }

    /** Calls the control API of a server without waiting; fails with {@link ControlFailure}. */
    public CompletableFuture<ControlAnswer> start(ServerRow server, ControlCall call) {
        return control.call(target(server), call.onBehalfOf(AuditLog.user()));
    }

    /**
     * Where the control API of a server is.
     *
     * @throws ProblemException 502 if it has none that can be used
     */
    public ControlTarget target(ServerRow server) {
        if (server.controlUrl() == null) {
            throw ProblemException.conflict(
                    "%s has no control API, so it cannot do that. Add its control URL and a token if it is a Sluice server."
                            .formatted(server.name()));
        }
        ControlTarget target = fleet.target(server)
                .orElseThrow(() -> ProblemException.badGateway(
                        "There is no token of %s that can be used. An administrator can enter one."
                                .formatted(server.name())));
        if (!control.isRecognized(target.url())) {
            // The answer of another service, at a wrong URL, must not be in the log.
            ServerView view = fleet.now().server(server.id());
            String detail = view == null ? null : view.status().detail();
            throw ProblemException.badGateway(Sentences.of(
                    server.name() + ": " + (detail == null ? "it has not answered yet, try again" : detail)));
        }
        return target;
    }

    /**
     * Asks the management port of a server.
     *
     * @throws ProblemException with the answer of the server, or 502
     */
    public List<String> manage(ServerRow server, ManagementRequest... requests) {
        return limited(
                () -> waitFor(
                        resolver.resolve(server.ip(), false)
                                .thenCompose(address -> management.ask(
                                        new InetSocketAddress(address, server.adminPort()),
                                        List.of(requests),
                                        MANAGEMENT)),
                        server),
                server);
    }

    /** Servers that do not answer must not hold all threads, or no page would be answered. */
    private <T> T limited(Supplier<T> call, ServerRow server) {
        if (!waiting.tryAcquire()) {
            throw ProblemException.badGateway(
                    "%s was not asked: too many calls wait for servers that do not answer. Try again."
                            .formatted(server.name()));
        }
        try {
            return call.get();
        } finally {
            waiting.release();
        }
    }

    /** Waits for an answer of a server. */
    public <T> T waitFor(CompletableFuture<T> answer, ServerRow server) {
        try {
            return answer.get(LONGEST_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw problem(e.getCause() == null ? e : e.getCause(), server);
        } catch (TimeoutException e) {
            throw ProblemException.badGateway("%s does not answer in time.".formatted(server.name()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ProblemException.badGateway("This server is stopping.");
        }
    }

    private static ProblemException problem(Throwable cause, ServerRow server) {
        if (cause instanceof ProblemException known) {
            return known;
        }
        String message = Sentences.of(server.name() + ": " + cause.getMessage());
        if (cause instanceof ControlFailure failure
                && failure.kind() == FailureKind.REJECTED
                && PASSED_ON.contains(failure.status())) {
            return ProblemException.of(HttpStatus.valueOf(failure.status()), message);
        }
        if (cause instanceof ManagementFailure failure && failure.kind() == FailureKind.REJECTED) {
            return ProblemException.conflict(message);
        }
        return ProblemException.badGateway(message);
    }
}
