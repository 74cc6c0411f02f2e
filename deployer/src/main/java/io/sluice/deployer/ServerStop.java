package io.sluice.deployer;

import io.sluice.protocol.file.PrivateFiles;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shutdown hook: stops the server, gives up after a time limit, and reports what did not end in good order.
 *
 * <p>The exit code of a process that has got a signal does not depend on that, and on a full disk nothing can be written. So the file that
 * shows that the server runs stays if something is amiss, or is made then: both work on a full disk, and a server that is killed leaves it as well.
 */
final class ServerStop implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(ServerStop.class);

    /** How much longer than what is in flight may take the stop may. */
    private static final Duration MORE = Duration.ofSeconds(5);

    private final RunningServer server;
    private final Duration limit;
    private final Optional<Path> startedFile;
    private final PrintStream errors;
    private volatile boolean begun;

    /**
     * Stops nothing yet.
     *
     * @param limit how long what is in flight may take
     * @param startedFile is removed if all has ended in good order
     * @param errors gets what has not, for the operator
     */
    ServerStop(RunningServer server, Duration limit, Optional<Path> startedFile, PrintStream errors) {
        this.server = server;
        this.limit = limit;
        this.startedFile = startedFile;
        this.errors = errors;
    }

    boolean hasBegun() {
        return begun;
    }

    /** Makes the file that shows that the server runs, unless the stop has begun: it would be left there as if the end were not in good order. */
    synchronized void markUnlessBegun(Marking marking) throws IOException {
        if (!begun) {
            marking.run();
        }
    }

    /** Makes the file that shows that the server runs. */
    @FunctionalInterface
    interface Marking {
        void run() throws IOException;
    }

    private synchronized void begin() {
        begun = true;
    }

    @Override
    public void run() {
        begin();
        LOG.info("the canal server is stopping");
        FutureTask<List<String>> stop = new FutureTask<>(() -> {
            server.stop(limit);
            return server.endProblems();
        });
        Thread worker = new Thread(stop, "stop-server");
        worker.setDaemon(true);
        worker.start();
        try {
            List<String> problems = stop.get(limit.plus(MORE).toMillis(), TimeUnit.MILLISECONDS);
            LOG.info("the canal server is down");
            if (problems.isEmpty()) {
                removeStartedFile();
            } else {
                leaveStartedFile();
                errors.println("the server has stopped, but not in good order:");
                problems.forEach(errors::println);
            }
        } catch (TimeoutException e) {
            LOG.error("the server did not stop in time, ending the process: limit={}", limit);
            leaveStartedFile();
            errors.println(
                    "the server did not stop within %d seconds, and ends all the same".formatted(limit.toSeconds()));
            server.endProblems().forEach(errors::println);
        } catch (ExecutionException e) {
            LOG.error("the server did not stop in good order, ending the process", e.getCause());
            leaveStartedFile();
            errors.println("the server did not stop in good order: " + e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** It is not there if the disk was full at the start, or instances had not yet read their sources. An empty one needs no room. */
    private void leaveStartedFile() {
        try {
            if (startedFile.isPresent() && Files.notExists(startedFile.get())) {
                PrivateFiles.createEmpty(startedFile.get());
            }
        } catch (IOException e) { // stop.sh looks for what is written to the error stream, too
            LOG.warn("cannot create a file: file={}", startedFile, e);
        }
    }

    private void removeStartedFile() {
        try {
            if (startedFile.isPresent()) {
                Files.deleteIfExists(startedFile.get());
            }
        } catch (IOException e) {
            LOG.warn("cannot remove a file: file={}", startedFile, e);
            errors.println(
                    "all has ended in good order, but the file that shows that the server runs cannot be removed: "
                            + e);
        }
    }
}
