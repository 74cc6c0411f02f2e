package io.sluice.server.control;

import io.sluice.server.config.Configuration;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.sent.CheckedTexts;
import io.sluice.server.config.sent.GivenTexts;
import io.sluice.server.config.sent.TrialTexts;
import io.sluice.server.instance.DeliveryTap;
import io.sluice.server.pace.PauseTarget;
import io.sluice.server.pace.RateLimits;
import io.sluice.server.probe.ConnectReport;
import io.sluice.server.probe.SourceListing;
import io.sluice.server.tables.TableTally;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What an operator can ask a running server, and have it do. Thread-safe.
 *
 * <p>What changes something returns when it is done, which may take as long as what is in flight: not for threads that must not wait. A start, a restart or
 * a reload that other changes hold up for too long throws {@link CommandRejectedException}, and is not carried out later. Each
 * method that takes a destination throws {@link UnknownDestinationException} if there is none of that name; one that changes something throws
 * {@link CommandRejectedException} if its configuration was never right.
 */
public interface Operations {
    /** What is in force. */
    Configuration configuration();

    /** The names of all instances that are configured, in the order of the configuration. */
    List<String> destinations();

    /**
     * Why nothing of the newest configuration is in force, or it cannot be read; null if it is in force, but for instances that have a
     * problem.
     */
    @Nullable String configurationProblem();

    /** What is wrong with this server among those of its cluster, with the remedy; null if nothing is, or it is alone. */
    @Nullable String clusterProblem();

    /** The keys of the server that have changed since it was started, and take effect at its next start; as of the newest configuration that could be read. */
    List<String> restartKeys();

    /** The state of an instance, also of one that the server knows and does not have. */
    InstanceSnapshot snapshot(String destination);

    /** The state of all instances, in the order of the configuration; those that the server does not have come last. */
    List<InstanceSnapshot> snapshots();

    /** Shows what an instance delivers. */
    DeliveryTap tap(String destination);

    /** What was delivered of each table of an instance, since the server was started. */
    TableTally tables(String destination);

    /**
     * Starts an instance that was stopped or has failed, with what is configured for it now.
     *
     * @return false if it runs already; its configuration is not read then
     * @throws CommandRejectedException if it cannot be started, or its configuration is wrong: it stays as it was then
     */
    boolean start(String destination);

    /**
     * Stops an instance until it is started again: what is in flight is delivered, and the cursor written.
     *
     * @return false if it was stopped already
     * @throws CommandRejectedException if it was stopped, but not in good order, as when the cursor could not be written
     */
    boolean stop(String destination);

    /**
     * Stops an instance, and starts it again with what is configured for it now.
     *
     * @throws CommandRejectedException if it does not run here, or cannot be started, or its configuration is wrong: it stays as it was then
     */
    void restart(String destination);

    /**
     * Leaves an instance to the other servers of a cluster; without one it is restarted.
     *
     * @throws CommandRejectedException if it was stopped
     */
    void release(String destination);

    /**
     * Delivers nothing from now on. What is in flight is delivered.
     *
     * @param reason the caller and the reason
     */
    void pause(String destination, String reason);

    /**
     * Delivers until a point in the stream, and nothing behind it.
     *
     * @throws CommandRejectedException if what is delivered is behind it already, or the instance is paused
     */
    void pauseAt(String destination, PauseTarget target);

    /**
     * Does something while an instance does not run, and has it run again after that if it did, with what is configured for it now.
     *
     * @param plan is given the configuration with which it is to run then, and returns what is to be done; called while the instance still runs, so that
     *     nothing is stopped if it throws
     * @return whether it runs again, or should not, or why it could not be started
     * @throws CommandRejectedException in a cluster, where another server would take it; or as {@link #restart}
     */
    Outcome whileStopped(String destination, Function<InstanceConfig, Runnable> plan);

    /** Delivers again, and forgets the point at which it was to pause. */
    void resume(String destination);

    /** Limits the rates at which it delivers, from now on. */
    void limit(String destination, RateLimits limits);

    /**
     * Reads the configuration, and has an instance run with what is configured for it now; it is restarted in any case.
     *
     * @throws CommandRejectedException if the server cannot read its configuration again
     */
    ReloadReport reload(String destination);

    /**
     * Reads the configuration, and takes over what has changed.
     *
     * @throws CommandRejectedException if the server cannot read its configuration again
     */
    ReloadReport reload();

    /**
     * Posts an alarm to each web hook that is configured, on trial, and waits for the answers.
     *
     * @return what became of it, for each web hook
     * @throws CommandRejectedException if there is no web hook
     */
    List<AlarmTest> testAlarm();

    /**
     * Checks texts of a configuration that a client has sent. Changes nothing, and reads nothing that is outside of them.
     *
     * @throws CommandRejectedException if the server cannot
     */
    CheckedTexts check(GivenTexts texts);

    /**
     * Reads texts of a configuration that a client has sent to have tried what they need. Changes nothing, opens no file that they name, and
     * reads nothing that is outside of them.
     *
     * @throws CommandRejectedException if the server cannot
     */
    TrialTexts forTrial(GivenTexts texts);

    /**
     * Tries source, broker and ZooKeeper of texts that a client has sent. Changes nothing there. It takes less than a minute.
     *
     * @param texts nothing is wrong with them
     * @throws CommandRejectedException if another trial is going on
     */
    ConnectReport connect(TrialTexts texts);

    /**
     * Lists the tables of the source of texts that a client has sent. It takes about half a minute at most.
     *
     * @param texts nothing is wrong with them, and there is an instance
     * @throws CommandRejectedException if another trial is going on
     */
    SourceListing sourceTables(TrialTexts texts);
}
