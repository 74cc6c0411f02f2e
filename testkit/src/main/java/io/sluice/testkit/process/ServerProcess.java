package io.sluice.testkit.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A server that runs as a child of this JVM and dies with it, even when the JVM is killed.
 *
 * <p>Between the two is a shell that holds the other end of a pipe from this JVM. Signals travel through that pipe;
 * when it ends, the JVM has ended, and the shell kills the server and removes its folder.
 */
public final class ServerProcess {
    private static final Duration KILL_TIMEOUT = Duration.ofMinutes(2);
    private static final Duration SIGNAL_TIMEOUT = Duration.ofSeconds(60);
    private static final int LOG_TAIL_CHARS = 4000;

    private final Process supervisor;
    private final long pid;
    private final Path log;

    private ServerProcess(Process supervisor, long pid, Path log) {
        this.supervisor = supervisor;
        this.pid = pid;
        this.log = log;
    }

    /**
     * Starts a command.
     *
     * @param environment added to this JVM's own
     * @param folder the working folder, removed if this JVM dies while the server runs
     * @param log receives what the server prints
     */
    public static ServerProcess start(List<String> command, Map<String, String> environment, Path folder, Path log) {
        List<String> line = new ArrayList<>(List.of("/bin/sh", "-c", script(), "supervisor.sh"));
        line.add(folder.toString());
        line.add(log.toString());
        line.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(line).directory(folder.toFile());
        builder.environment().putAll(environment);
        builder.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
        try {
            Process supervisor = builder.start();
            BufferedReader output =
                    new BufferedReader(new InputStreamReader(supervisor.getInputStream(), StandardCharsets.UTF_8));
            String pid = output.readLine();
            if (pid == null) {
                throw new IllegalStateException("could not start " + command.get(0) + ": " + tail(log));
            }
            return new ServerProcess(supervisor, Long.parseLong(pid), log);
        } catch (IOException e) {
            throw new UncheckedIOException("could not start " + command.get(0), e);
        }
    }

    /** The server's own process id, not the shell's. */
    public long pid() {
        return pid;
    }

    /** Whether the server runs. */
    public boolean isAlive() {
        return supervisor.isAlive();
    }

    /** Stops the server cleanly, and kills it when it has not ended within the given time. */
    public void stop(Duration timeout) {
        signal("CONT");
        signal("TERM");
        if (!awaitEnd(timeout)) {
            kill();
        }
    }

    /** Kills the server, as a crash would, and waits until it is gone. */
    public void kill() {
        signal("KILL");
        if (!awaitEnd(KILL_TIMEOUT)) {
            throw new IllegalStateException("process " + pid + " cannot be killed");
        }
    }

    /** Freezes the server, and returns when it is frozen: its connections stay open, and nothing answers. */
    public void pause() {
        signal("STOP");
        awaitFrozen(true);
    }

    /** Continues a paused server, and returns when it runs. */
    public void resume() {
        signal("CONT");
        awaitFrozen(false);
    }

    private void awaitFrozen(boolean expected) {
        if (!Polling.await(SIGNAL_TIMEOUT, () -> isFrozen() == expected)) {
            throw new IllegalStateException(
                    "process %d %s".formatted(pid, expected ? "does not stop" : "does not continue"));
        }
    }

    /** Whether the system reports it as stopped: {@code pid (name) state …}, where the name may hold anything. */
    private boolean isFrozen() {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"), StandardCharsets.ISO_8859_1);
            return stat.charAt(stat.lastIndexOf(')') + 2) == 'T';
        } catch (IOException e) {
            throw new UncheckedIOException("process " + pid + " is gone", e);
        }
    }

    /** The end of what the server printed, for messages. */
    public String logTail() {
        return tail(log);
    }

    private boolean awaitEnd(Duration timeout) {
        try {
            return supervisor.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            supervisor.destroy(); // closes the pipe, so the server dies as with the JVM
            return true;
        }
    }

    private void signal(String name) {
        try {
            OutputStream pipe = supervisor.getOutputStream();
            pipe.write((name + "\n").getBytes(StandardCharsets.US_ASCII));
            pipe.flush();
        } catch (IOException e) {
            if (supervisor.isAlive()) {
                throw new UncheckedIOException("could not send " + name + " to process " + pid, e);
            }
        }
    }

    private static String script() {
        try (InputStream in = ServerProcess.class.getResourceAsStream("supervisor.sh")) {
            if (in == null) {
                throw new IllegalStateException("supervisor.sh is missing from the testkit's jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String tail(Path log) {
        try {
            String text = Files.exists(log) ? new String(Files.readAllBytes(log), StandardCharsets.UTF_8) : "no log";
            return text.substring(Math.max(0, text.length() - LOG_TAIL_CHARS));
        } catch (IOException e) {
            return "its log cannot be read: " + e;
        }
    }
}
