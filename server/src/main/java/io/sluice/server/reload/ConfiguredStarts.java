package io.sluice.server.reload;

import io.sluice.server.config.ConfigDigests;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.reload.ConfigSource;
import io.sluice.server.config.reload.ReadConfiguration;
import io.sluice.server.config.text.Problem;
import io.sluice.server.control.CommandRejectedException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds out with what configuration a command starts or restarts a destination, and notes what became of that.
 *
 * <p>Not thread-safe: guarded by the monitor of {@link Reloads}, as what it notes.
 */
final class ConfiguredStarts {
    private final ConfigSource source;
    private final ReloadTarget target;
    private final ConfigDigests atStart;
    private final TakenOver takenOver;
    private final NotInForce notInForce;
    private final ReloadLog log;

    /**
     * With what a destination is to be started.
     *
     * @param isNewest whether no newer configuration of it is known
     */
    record Configured(InstanceConfig config, boolean isNewest) {}

    /**
     * Starts nothing yet.
     *
     * @param atStart what was in force at the start of the server
     */
    ConfiguredStarts(
            ConfigSource source,
            ReloadTarget target,
            ConfigDigests atStart,
            TakenOver takenOver,
            NotInForce notInForce,
            ReloadLog log) {
        this.source = source;
        this.target = target;
        this.atStart = atStart;
        this.takenOver = takenOver;
        this.notInForce = notInForce;
        this.log = log;
    }

    /**
     * Returns the configuration with which a destination is to be started. It counts as tried.
     *
     * @throws CommandRejectedException if that is not right, or cannot be taken over
     */
    Configured begin(ReadConfiguration read, String destination) {
        List<String> problems = new ArrayList<>(Problem.texts(read.serverProblems()));
        problems.addAll(Problem.texts(read.instanceProblems().getOrDefault(destination, List.of())));
        if (!problems.isEmpty()) {
            read.noteOfSource().ifPresent(problems::add);
            throw new CommandRejectedException(
                    "the configuration of %s is wrong: %s; correct it, and repeat the command: until then it stays as it is"
                            .formatted(destination, String.join("; ", problems)));
        }
        ConfigDigests next = read.configuration().digests();
        RestartKeys restartKeys = RestartKeys.of(atStart, next);
        target.setRestartKeys(restartKeys.keys());
        Optional<InstanceConfig> now = target.inForce(destination);
        boolean isSame =
                now.isPresent() && !takenOver.hasChanged(destination, next) && !notInForce.hasFailed(destination);
        List<String> blocking = restartKeys.blocking();
        if (!blocking.isEmpty()) {
            return new Configured(
                    now.filter(config -> isSame)
                            .orElseThrow(() -> new CommandRejectedException(
                                    "the configuration of %s has changed, and cannot be taken over: %s"
                                            .formatted(destination, String.join("; ", blocking)))),
                    true);
        }
        log.warn(read, ReloadScope.of(destination));
        target.setServerProblem(read.noteOfSource().orElse(null));
        if (now.isPresent() && takenOver.kept(read).contains(destination)) {
            return new Configured(now.get(), false);
        }
        InstanceConfig configured = read.configuration().instances().stream()
                .filter(one -> one.destination().equals(destination))
                .findFirst()
                .orElseThrow(() -> new CommandRejectedException(notConfigured(read.configuration(), destination)));
        InstanceConfig config = now.filter(same -> isSame).orElse(configured); // two that were read are not equal
        if (read.noteOfSource().isEmpty()) {
            source.takenOver(destination);
            takenOver.noteAsked(ReloadScope.of(destination));
        }
        takenOver.noteStart(destination, next);
        notInForce.noteNoLongerLate(destination);
        return new Configured(config, true);
    }

    private static String notConfigured(Configuration read, String destination) {
        Path missing = read.withoutFile().get(destination);
        return missing == null
                ? "%s is not configured any more: add it again, or have sluice.sh reload remove it"
                        .formatted(destination)
                : "the file of %s is gone: write %s again, which may be empty".formatted(destination, missing);
    }

    /**
     * Notes what became of a start.
     *
     * @param failure why the destination could not be run with the configuration; null if it could, or it was not tried
     */
    void end(String destination, Configured next, @Nullable String failure) {
        if (target.inForce(destination).filter(next.config()::equals).isPresent()) {
            target.started();
            if (next.isNewest()) {
                notInForce.noteStarted(destination);
            }
        } else if (failure != null) {
            notInForce.noteFailedStart(destination, failure);
        } else { // it was not run after all
            takenOver.forget(destination);
        }
    }
}
