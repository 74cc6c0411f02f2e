package io.sluice.server.admin;

import com.google.protobuf.InvalidProtocolBufferException;
import io.sluice.protocol.admin.InstanceAdmin;
import io.sluice.protocol.admin.LogAdmin;
import io.sluice.protocol.admin.Packet;
import io.sluice.protocol.admin.ServerAdmin;
import io.sluice.server.control.CommandRejectedException;
import io.sluice.server.control.InstanceSnapshot;
import io.sluice.server.control.LogFiles;
import io.sluice.server.control.Operations;
import io.sluice.server.control.UnknownDestinationException;
import io.sluice.server.instance.InstanceState;
import io.sluice.server.port.PrintableInput;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the requests of clients that have logged in, and answers in canal's words. May wait, so it is not for I/O threads. Safe for
 * use by several threads.
 *
 * <p>The server as canal's consoles know it is the sum of the instances: it is stopped when an operator has stopped all of them.
 */
final class Requests {
    private static final Logger LOG = LoggerFactory.getLogger(Requests.class);

    /** A tail may take several times its 4 MiB of the heap until it is sent. */
    private static final int MOST_TAILS = 2;

    private final Operations operations;
    private final Changes changes;
    private final LogFiles logs;
    private final Semaphore tails = new Semaphore(MOST_TAILS);

    Requests(Operations operations, Changes changes, LogFiles logs) {
        this.operations = operations;
        this.changes = changes;
        this.logs = logs;
    }

    /** Answers a packet. */
    Answer answer(Packet packet, Session by) {
        try {
            return switch (packet.getType()) {
                case SERVER -> server(ServerAdmin.parseFrom(packet.getBody()), by);
                case INSTANCE -> instance(InstanceAdmin.parseFrom(packet.getBody()), by);
                case LOG -> log(LogAdmin.parseFrom(packet.getBody()));
                default ->
                    new Answer(Answer.UNAUTHORIZED, "packet type: %s is NOT supported!".formatted(packet.getType()));
            };
        } catch (InvalidProtocolBufferException e) {
            return new Answer(Answer.FAILED, "the packet's body cannot be read");
        } catch (CommandRejectedException | IllegalArgumentException e) {
            return new Answer(Answer.FAILED, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            return new Answer(Answer.FAILED, "the log cannot be read: " + e.getMessage());
        } catch (RuntimeException | Error e) { // without an answer the connection would stay busy
            LOG.error("a management request failed: remote={} type={}", by.remote(), packet.getType(), e);
            return new Answer(Answer.FAILED, "internal error, see the server's log");
        }
    }

    private Answer server(ServerAdmin request, Session by) {
        String action = request.getAction();
        return switch (action) {
            case "check" -> Answer.of(isRunning());
            case "start" -> Answer.of(changes.carryOut(Change.START, stopped(), by));
            case "stop" -> Answer.of(changes.carryOut(Change.STOP, operations.destinations(), by));
            case "restart" -> Answer.of(restart(by));
            case "list" ->
                Answer.of(String.join(
                        ",",
                        operations.destinations().stream()
                                .filter(this::isStarted)
                                .toList()));
            default ->
                new Answer(
                        Answer.UNKNOWN_ACTION,
                        "ServerAdmin action: %s  is unknown".formatted(PrintableInput.text(action)));
        };
    }

    /** An instance that could not be stopped does not keep the others from starting again. */
    private boolean restart(Session by) {
        boolean isStarted = false;
        try {
            changes.carryOut(Change.STOP, operations.destinations(), by);
        } finally {
            isStarted = startAll(by);
        }
        return isStarted;
    }

    /** Some may be rejected while others are started, as the configuration is read for each: they are tried again as long as that helps. */
    private boolean startAll(Session by) {
        List<String> left = stopped();
        boolean isStarted = changes.carryOut(Change.START, left, by);
        for (List<String> next = stopped(); !next.isEmpty() && next.size() < left.size(); next = stopped()) {
            left = next;
            isStarted = changes.carryOut(Change.START, left, by);
        }
        return isStarted;
    }

    private boolean isRunning() {
        List<String> all = operations.destinations();
        return all.isEmpty() || stopped().size() < all.size();
    }

    private List<String> stopped() {
        return operations.destinations().stream()
                .filter(name -> snapshot(name).map(InstanceSnapshot::stopped).orElse(false))
                .toList();
    }

    private boolean isStarted(String destination) {
        return snapshot(destination)
                .flatMap(InstanceSnapshot::instance)
                .filter(instance -> instance.state() != InstanceState.FAILED)
                .isPresent();
    }

    /** Empty if it is unknown, or has been removed meanwhile. */
    private Optional<InstanceSnapshot> snapshot(String destination) {
        try {
            return Optional.of(operations.snapshot(destination));
        } catch (UnknownDestinationException e) {
            return Optional.empty();
        }
    }

    private Answer instance(InstanceAdmin request, Session by) {
        String destination = request.getDestination();
        String action = request.getAction();
        if (action.equals("check")) {
            return Answer.of(isStarted(destination));
        }
        Optional<Change> change = Change.of(action);
        if (change.isEmpty()) {
            return new Answer(
                    Answer.UNKNOWN_ACTION,
                    "InstanceAdmin action: %s is unknown".formatted(PrintableInput.text(action)));
        }
        try {
            changes.carryOut(change.get(), destination, by);
            return Answer.of(true);
        } catch (UnknownDestinationException e) {
            return Answer.of(false);
        }
    }

    private Answer log(LogAdmin request) throws IOException {
        String type = request.getType();
        if (!type.equals("server") && !type.equals("instance")) {
            return new Answer(
                    Answer.UNKNOWN_ACTION, "LogAdmin type: %s is unknown".formatted(PrintableInput.text(type)));
        }
        String destination = type.equals("server") ? LogFiles.SERVER : request.getDestination();
        if (request.getAction().equalsIgnoreCase("list")) {
            return Answer.of(String.join(",", logs.names(destination)));
        }
        tails.acquireUninterruptibly();
        try {
            return Answer.of(logs.tail(destination, request.getFile(), request.getCount()));
        } finally {
            tails.release();
        }
    }
}
