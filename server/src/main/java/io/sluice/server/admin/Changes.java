package io.sluice.server.admin;

import io.sluice.server.control.AuditEntry;
import io.sluice.server.control.AuditLog;
import io.sluice.server.control.CommandRejectedException;
import io.sluice.server.control.InstanceSnapshot;
import io.sluice.server.control.Operations;
import io.sluice.server.control.UnknownDestinationException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Changes instances, and records each change. Returns when it is done, which may take as long as what is in flight. Thread-safe. */
final class Changes {
    private static final Logger LOG = LoggerFactory.getLogger(Changes.class);

    private final Operations operations;
    private final AuditLog audit;
    private final Executor parallel;

    /**
     * Makes them.
     *
     * @param parallel changes several instances at the same time; not the one whose threads call this
     */
    Changes(Operations operations, AuditLog audit, Executor parallel) {
        this.operations = operations;
        this.audit = audit;
        this.parallel = parallel;
    }

    /**
     * Changes an instance.
     *
     * @return whether that was not its state already
     * @throws UnknownDestinationException if there is none of that name
     * @throws CommandRejectedException if it cannot be done now
     */
    boolean carryOut(Change change, String destination, Session by) {
        String before = stateOf(destination);
        try {
            boolean isChanged = switch (change) {
                case START -> operations.start(destination);
                case STOP -> operations.stop(destination);
                case RESTART -> restart(destination);
                case RELEASE -> release(destination);
            };
            record(by, change, destination, before, stateOf(destination), isChanged);
            return isChanged;
        } catch (RuntimeException | Error e) {
            record(by, change, destination, before, String.valueOf(e.getMessage()), false);
            throw e;
        }
    }

    /** Also starts one that was stopped, as canal does. */
    private boolean restart(String destination) {
        if (operations.snapshot(destination).stopped()) {
            return operations.start(destination);
        }
        operations.restart(destination);
        return true;
    }

    private boolean release(String destination) {
        operations.release(destination);
        return true;
    }

    /**
     * Changes several instances at the same time. One that has been removed meanwhile is left out.
     *
     * @return whether one of them was changed
     * @throws CommandRejectedException if one of them cannot be changed; the others are
     */
    boolean carryOut(Change change, List<String> destinations, Session by) {
        List<CompletableFuture<Boolean>> all = destinations.stream()
                .map(one -> CompletableFuture.supplyAsync(() -> carryOut(change, one, by), parallel))
                .toList();
        boolean isAnyChanged = false;
        List<String> failures = new ArrayList<>();
        RuntimeException first = null;
        for (CompletableFuture<Boolean> one : all) {
            try {
                isAnyChanged |= one.join();
            } catch (CompletionException | CancellationException e) {
                if (!(e.getCause() instanceof UnknownDestinationException)) {
                    failures.add(message(e));
                    first = first == null ? e : first;
                }
            }
        }
        if (first != null) {
            throw new CommandRejectedException(String.join("; ", failures), first);
        }
        return isAnyChanged;
    }

    private static String message(RuntimeException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        if (cause instanceof CommandRejectedException) {
            return String.valueOf(cause.getMessage());
        }
        LOG.error("a change of an instance failed", cause);
        return "internal error, see the server's log";
    }

    private void record(Session by, Change change, String destination, String before, String after, boolean isChanged) {
        audit.record(new AuditEntry(by.actor(), change.word(), destination, before, after, isChanged));
    }

    private String stateOf(String destination) {
        try {
            return stateOf(operations.snapshot(destination));
        } catch (UnknownDestinationException e) {
            return "unknown";
        }
    }

    private static String stateOf(InstanceSnapshot snapshot) {
        return snapshot.instance()
                .map(instance -> instance.state().name().toLowerCase(Locale.ROOT))
                .orElse(snapshot.stopped() ? "stopped" : "not here");
    }
}
