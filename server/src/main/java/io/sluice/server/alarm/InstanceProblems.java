package io.sluice.server.alarm;

import io.sluice.connector.api.deliver.SenderStatus;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.server.config.text.Masking;
import io.sluice.server.control.InstanceSnapshot;
import io.sluice.server.control.Missing;
import io.sluice.server.health.InstanceHealth;
import io.sluice.server.health.Stage;
import io.sluice.server.health.Stall;
import io.sluice.server.instance.ErrorLog;
import io.sluice.server.instance.Instance;
import io.sluice.server.instance.InstanceState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The problems of one destination at one moment.
 *
 * @param destination its name; blank for the server
 * @param problems the problems that it has
 * @param calm why those that it has not are over, if it had them; null while that is open, as during a new attempt
 * @param isUnknown whether none of this could be determined, so that no problem is raised or over
 */
public record InstanceProblems(
        String destination,
        List<InstanceProblem> problems,
        @Nullable String calm,
        boolean isUnknown) {
    /** Their messages state what a server answered to a connection, a login or a request for the binlog, and never quote rows. */
    private static final Set<SourceFailure> QUOTABLE = EnumSet.of(
            SourceFailure.UNREACHABLE,
            SourceFailure.AUTHENTICATION,
            SourceFailure.NO_BINLOG,
            SourceFailure.MISCONFIGURED,
            SourceFailure.LAGGING,
            SourceFailure.PURGED,
            SourceFailure.DIVERGED,
            SourceFailure.DUPLICATE_SERVER_ID,
            SourceFailure.HISTORY_UNREACHABLE,
            SourceFailure.CURSOR_NOT_STORED);

    /** A broker that answers is never silent for so long. */
    private static final Duration SILENCE = Duration.ofSeconds(5);

    /** A disk, or ZooKeeper, takes a cursor within seconds; a short failure has no effect but in a crash at the same time. */
    private static final Duration UNWRITTEN = Duration.ofMinutes(5);

    /** Problems with which an instance runs and makes progress all the same. */
    private static final Set<AlarmKind> BESIDE_DELIVERY =
            EnumSet.of(AlarmKind.CONFIGURATION_REFUSED, AlarmKind.CURSOR_NOT_WRITTEN);

    public InstanceProblems {
        problems = List.copyOf(problems);
    }

    InstanceProblems(String destination, List<InstanceProblem> problems, @Nullable String calm) {
        this(destination, problems, calm, false);
    }

    /**
     * The problems of the server itself.
     *
     * @param problem why its newest configuration is not in force, or cannot be read; null if it is
     * @param ofAddress that another server of the cluster has its address, and what to do; null if none has
     */
    public static InstanceProblems ofServer(@Nullable String problem, @Nullable String ofAddress) {
        List<InstanceProblem> problems = new ArrayList<>();
        if (problem != null) {
            problems.add(refused(problem, "What was in force before continues"));
        }
        if (ofAddress != null) {
            problems.add(new InstanceProblem(
                    AlarmKind.ADDRESS_SHARED,
                    ofAddress,
                    "sluice.sh check --connect, on the machines of both, lists the registered servers",
                    Duration.ZERO,
                    true));
        }
        return new InstanceProblems("", problems, "the server runs");
    }

    /** The problems of a destination where they could not be determined. */
    public static InstanceProblems unknown(String destination) {
        return new InstanceProblems(destination, List.of(), null, true);
    }

    /** The problems of a destination. */
    public static InstanceProblems of(InstanceSnapshot now) {
        String name = now.destination();
        List<InstanceProblem> problems = new ArrayList<>();
        InstanceHealth health = now.health().orElse(null);
        if (health != null && !now.stopped()) {
            addRunning(problems, now, health);
        }
        Missing missing = now.missing();
        if (missing != null) {
            addMissing(problems, name, missing);
        } else if (now.problem() != null) {
            problems.add(refused(now.problem(), "What was in force before continues"));
        }
        return new InstanceProblems(name, problems, calm(now, health, problems));
    }

    private static void addMissing(List<InstanceProblem> problems, String name, Missing missing) {
        switch (missing.reason()) {
            case INVALID -> problems.add(refused(missing.problem(), "The instance does not run until then"));
            case NOT_ENDED ->
                problems.add(new InstanceProblem(
                        AlarmKind.FAILED,
                        "it was removed and did not end in good order",
                        "restart the server if a part of " + name + " still runs; its log has the reason",
                        Duration.ZERO,
                        true));
            case PENDING -> {} // which ends by itself, or was reported to the operator
        }
    }

    private static void addRunning(List<InstanceProblem> problems, InstanceSnapshot now, InstanceHealth health) {
        String name = now.destination();
        if (health.state() == InstanceState.FAILED) {
            problems.add(new InstanceProblem(
                    AlarmKind.FAILED,
                    health.failure() == null ? "" : source(now.errors(), health.failure()),
                    (health.failure() == null ? "" : now.remedy(health.failure()) + "; ")
                            + "sluice.sh errors " + name + " shows the reason; remove it, then "
                            + (now.retryAt() == null
                                    ? "start the instance again: sluice.sh start " + name
                                    : "wait for the next attempt, or: sluice.sh start " + name),
                    Duration.ZERO));
            return;
        }
        Stall stall = health.stall();
        InstanceProblem source = source(now, health, stall);
        if (source != null) {
            problems.add(source);
        }
        InstanceProblem broker = now.instance()
                .flatMap(Instance::senderStatus)
                .map(sender -> broker(name, sender))
                .orElse(null);
        if (broker != null) {
            problems.add(broker);
        }
        InstanceProblem cursor = now.instance()
                .map(instance -> cursor(name, instance.cursorUnwritten()))
                .orElse(null);
        if (cursor != null) {
            problems.add(cursor);
        }
        boolean isKnownLoss = stall != null
                && (stall.stage() == Stage.SOURCE && source != null || stall.stage() == Stage.BROKER && broker != null);
        if (stall != null && stall.stage() != Stage.CLIENTS && !isKnownLoss) {
            problems.add(new InstanceProblem(
                    AlarmKind.STALLED,
                    "stage " + stall.stage().spelling(),
                    stall.stage().meaning(),
                    stall.lasting()));
        }
    }

    /** What is wrong with the source, also between two failures if nothing comes of a new connection; null if nothing is. */
    private static @Nullable InstanceProblem source(
            InstanceSnapshot now, InstanceHealth health, @Nullable Stall stall) {
        Stall ofSource = stall != null && stall.stage() == Stage.SOURCE ? stall : null;
        SourceFailure failure = health.failure();
        if (failure == null && ofSource != null && health.state() != InstanceState.CONNECTING) {
            failure = newestOfSource(now.errors());
        }
        if (failure == null) {
            return null;
        }
        return new InstanceProblem(
                AlarmKind.SOURCE_LOST,
                source(now.errors(), failure),
                now.remedy(failure) + "; sluice.sh errors " + now.destination() + " shows all errors",
                ofSource == null ? Duration.ZERO : ofSource.lasting(),
                failure == SourceFailure.AUTHENTICATION);
    }

    private static @Nullable SourceFailure newestOfSource(List<ErrorLog.Item> errors) {
        for (ErrorLog.Item item : errors) {
            for (SourceFailure failure : SourceFailure.values()) {
                if (item.part().equals("source") && item.kind().equals(failure.spelling())) {
                    return failure;
                }
            }
        }
        return null;
    }

    /** What is wrong with a cursor that has not been written for so long; null if that is not long. */
    static @Nullable InstanceProblem cursor(String name, Duration unwritten) {
        if (unwritten.compareTo(UNWRITTEN) < 0) {
            return null;
        }
        return new InstanceProblem(
                AlarmKind.CURSOR_NOT_WRITTEN,
                "",
                "check the disk that has the cursor, or ZooKeeper; the server's log states why it is not written. Changes of "
                        + name + " are delivered, and after a restart they would be delivered again",
                unwritten);
    }

    /** What is wrong with the broker; null if nothing is. */
    private static @Nullable InstanceProblem broker(String name, SenderStatus sender) {
        if (sender.failuresInARow() == 0 && sender.silence().compareTo(SILENCE) < 0) {
            return null;
        }
        return new InstanceProblem(
                AlarmKind.BROKER_LOST,
                sender.failuresInARow() > 0
                        ? sender.failuresInARow() + " deliveries in a row have failed"
                        : "it does not answer",
                "check the broker, and whether it can be reached from here; sluice.sh errors " + name
                        + " shows the last error. Nothing is lost: what it did not confirm is sent again",
                sender.silence());
    }

    private static @Nullable String calm(
            InstanceSnapshot now, @Nullable InstanceHealth health, List<InstanceProblem> problems) {
        if (now.stopped()) {
            return "an operator has stopped it";
        }
        if (health == null) {
            return "it does not run on this server any more";
        }
        boolean isWell = health.state() == InstanceState.RUNNING
                && health.isWell()
                && problems.stream().allMatch(problem -> BESIDE_DELIVERY.contains(problem.kind()));
        return isWell ? "the instance runs and makes progress" : null;
    }

    private static InstanceProblem refused(String problem, String meanwhile) {
        return new InstanceProblem(
                AlarmKind.CONFIGURATION_REFUSED,
                Masking.sentence(problem),
                "correct the configuration (sluice.sh check), then: sluice.sh reload. " + meanwhile,
                Duration.ZERO);
    }

    private static String source(List<ErrorLog.Item> errors, SourceFailure failure) {
        String kind = failure.spelling();
        if (!QUOTABLE.contains(failure)) {
            return kind;
        }
        return errors.stream()
                .filter(item -> item.part().equals("source") && item.kind().equals(kind))
                .findFirst()
                .map(item -> kind + ": " + Masking.sentence(item.message()))
                .orElse(kind);
    }
}
