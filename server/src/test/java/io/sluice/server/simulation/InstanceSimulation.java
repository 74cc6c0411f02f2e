package io.sluice.server.simulation;

import io.sluice.connector.api.convert.BatchConverter;
import io.sluice.connector.api.convert.ChangeHeaders;
import io.sluice.connector.api.convert.Converters;
import io.sluice.connector.api.convert.DdlPartition;
import io.sluice.connector.api.convert.KeyChange;
import io.sluice.connector.api.convert.PacketStyle;
import io.sluice.connector.api.deliver.SenderConfig;
import io.sluice.connector.api.deliver.SimulatedBroker;
import io.sluice.connector.api.deliver.SimulatedSender;
import io.sluice.connector.api.deliver.failure.RejectionPolicy;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.api.route.BrokerPartitions;
import io.sluice.connector.api.route.FixedRouter;
import io.sluice.connector.api.route.RoutingRules;
import io.sluice.connector.api.route.RuleTexts;
import io.sluice.format.protobuf.EncodingPool;
import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.position.SchemaReference;
import io.sluice.protocol.position.SourceServer;
import io.sluice.protocol.time.Backoff;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.history.HistoryConfig;
import io.sluice.schema.history.SimulatedHistory;
import io.sluice.schema.history.database.HistoryLocation;
import io.sluice.server.ha.SimulatedOwnership;
import io.sluice.server.ha.SimulatedServices;
import io.sluice.store.cursor.CursorStore;
import io.sluice.store.cursor.file.FileCursorStore;
import io.sluice.store.ring.BatchLimit;
import io.sluice.store.ring.EntryRing;
import io.sluice.store.ring.EntryStore;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.options.Omitted;
import io.sluice.stream.options.StreamOptions;
import io.sluice.stream.source.SimulatedReader;
import io.sluice.stream.source.SourceOptions;
import io.sluice.stream.source.SourceState;
import io.sluice.stream.source.SourceStream;
import io.sluice.stream.source.schema.SchemaOptions;
import io.sluice.stream.source.search.PositionOptions;
import io.sluice.stream.source.search.SmallestCursor;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.testkit.binlog.SyntheticBinlog.Transaction;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An instance with everything around it, in one thread and in simulated time, from its first start on. Everything that is
 * random is drawn from one seed: the transactions, the order of the steps, the delays and the faults. At some time the faults cease; then
 * everything must arrive.
 *
 * <p>Checked after each step: the cursor is between two transactions, is not ahead of what the broker has confirmed, and the schema
 * history holds all DDL before it; what arrives has the column names of its event. At the end: nothing is missing, and the last copies
 * of all rows are in order in each partition.
 */
final class InstanceSimulation {
    private static final String NAME = "shop";
    private static final int PARTITIONS_WITHOUT_ANSWER = 101;
    private static final long SECOND = 1_000_000_000L;
    private static final long MAX_TIME_AFTER_FAULTS = 3_600 * SECOND;
    private static final int MAX_TURNS = 1_000_000;
    private static final int SLOTS_FOR_ALL = 1 << 13;

    /** Before a stream is read it takes writes that belong together. */
    private static final int KILLS_BEFORE_STREAMING = 4;

    /** Failures that no fault of a simulation can cause. */
    private static final Set<SourceFailure> DEFECTS = EnumSet.of(
            SourceFailure.INTERNAL,
            SourceFailure.FILTER_TOO_EXPENSIVE,
            SourceFailure.SCHEMA_MISMATCH,
            SourceFailure.UNSUPPORTED_EVENT,
            SourceFailure.DIVERGED,
            SourceFailure.HISTORY_UNUSABLE,
            SourceFailure.MISCONFIGURED,
            SourceFailure.PURGED,
            SourceFailure.CORRUPT);

    /** Failures after a reset of the binlog without GTIDs. */
    private static final Set<SourceFailure> OF_RESETS = EnumSet.of(SourceFailure.DIVERGED, SourceFailure.PURGED);

    /** Failures by which rows are rejected whose columns cannot be known. */
    private static final Set<SourceFailure> OF_UNKNOWN_SCHEMAS =
            EnumSet.of(SourceFailure.MISCONFIGURED, SourceFailure.SCHEMA_MISMATCH);

    private final SplittableRandom random;
    private final Mistake mistake;
    private final Trace trace;
    private final Plan plan;
    private final SimulatedClock time = new SimulatedClock();
    private final SimulatedSource source;
    private final SimulatedHistory history = new SimulatedHistory();
    private final SimulatedFile file = new SimulatedFile();
    private final SimulatedPartitions partitions;
    private final DeliveredRows delivered;
    private final BrokerFaults brokerFaults;
    private SimulatedBroker broker;
    /** Processes of servers that have not detected yet that they do not own the destination any more. */
    private final List<SimulatedProcess> formers = new ArrayList<>();

    private final @Nullable SimulatedOwnership ownership;
    private final double failureRate;

    /** How likely the process ends at one of its writes or requests. */
    private final double killRate;

    private @Nullable SimulatedProcess process;
    private SimulatedServers servers;
    private int lives;
    private @Nullable Cursor first;
    private boolean hasBegun;
    /** Whether a table was changed before the schema history began. */
    private boolean isChangedBefore;
    /** Whether the start was rejected, or the stream has stopped, since columns cannot be known. */
    private boolean isRejected;

    /** The transaction after which the stream has begun. */
    private long begun;

    /** The newest image before the source forgot its GTIDs; 0 if it has not. */
    private int newestBeforeReset;

    private int historyBase;
    private boolean isHistoryCut;
    /** The newest process that had the history open when it lost rows: they are written again at its next DDL, or by the next process. */
    private int cutInLife;

    private @Nullable Cursor checked;
    private long transactionsAcked;

    /**
     * The result of a run.
     *
     * @param hash of everything that was done
     * @param lives how often a process was started
     * @param isRejected whether it ended since the columns of rows cannot be known
     * @param failure what was violated, with the last steps; null if nothing was
     */
    record Result(
            long hash,
            int lives,
            boolean isRejected,
            @Nullable String failure) {}

    private InstanceSimulation(long seed, Mistake mistake, boolean traced) {
        this.random = new SplittableRandom(seed);
        this.mistake = mistake;
        this.trace = new Trace(traced);
        this.plan = Plan.draw(random);
        this.partitions = new SimulatedPartitions(plan.partitions());
        this.delivered = new DeliveredRows(plan.partitions() > 1 && !plan.isPulled() ? partitions : null);
        this.killRate = random.nextInt(3) * 0.002;
        this.failureRate = random.nextInt(3) * 0.01;
        this.brokerFaults = new BrokerFaults(random.split(), this::faultsCease);
        this.broker = new SimulatedBroker(time, random.split(), brokerFaults, delivered, false);
        this.source = new SimulatedSource(plan, time, random, trace);
        this.servers = newServers();
        this.ownership = plan.isShared()
                ? new SimulatedOwnership(random.nextLong(), mistake == Mistake.RENEWS_LEASES_BY_READS, new Services())
                : null;
    }

    /** The services of the owners of the destination. */
    private final class Services implements SimulatedServices {
        @Override
        public void start(String server, Ownership held) {
            SimulatedProcess former = process;
            if (former != null) {
                formers.add(former);
                process = null;
            }
            InstanceSimulation.this.start(server, held);
        }

        @Override
        public void end(String server) {
            SimulatedProcess running = process;
            if (running != null && running.server().equals(server)) {
                note("end", lives, server);
                running.die();
                history.kill();
                process = null;
            }
            for (SimulatedProcess former : formers) {
                if (former.server().equals(server)) {
                    former.die();
                }
            }
            formers.removeIf(SimulatedProcess::isDead);
        }
    }

    /** Runs a simulation, again with its steps noted if it fails. */
    static Result run(long seed, Mistake mistake) {
        Result result = run(seed, mistake, false);
        return result.failure() == null ? result : run(seed, mistake, true);
    }

    private static Result run(long seed, Mistake mistake, boolean traced) {
        InstanceSimulation simulation = new InstanceSimulation(seed, mistake, traced);
        String failure = null;
        try {
            simulation.run();
        } catch (RuntimeException | AssertionError e) {
            StringWriter stack = new StringWriter();
            e.printStackTrace(new PrintWriter(stack));
            failure = "seed %d: %s%n%s%n%s%n%s".formatted(seed, e, simulation.plan, simulation.trace.lines(), stack);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failure = "interrupted";
        } finally {
            simulation.history.close();
        }
        return new Result(simulation.trace.hash(), simulation.lives, simulation.isRejected, failure);
    }

    private boolean faultsCease() {
        return time.elapsedNanos() >= plan.faultsNanos();
    }

    private boolean chance(double probability) {
        return !faultsCease() && random.nextDouble() < probability;
    }

    private void note(String what, long number, Object forPeople) {
        trace.note(time.elapsedNanos(), what, number, forPeople);
    }

    private void run() throws InterruptedException {
        history.setAroundWrites(this::perhapsKill);
        for (int before = random.nextInt(8); before > 0; before--) {
            write();
        }
        if (ownership == null) {
            start("", Ownership.SOLE);
        }
        if (plan.asksBroker() && random.nextBoolean()) {
            hidePartitions();
        }
        time.schedule(random.nextLong(2 * SECOND), this::writeAndGoOn);
        time.schedule(random.nextLong(5 * SECOND), this::disturb);
        time.schedule(random.nextLong(plan.faultsNanos()), this::damage);
        time.schedule(random.nextLong(plan.faultsNanos()), this::forget);
        for (int turn = 0; turn < MAX_TURNS; turn++) {
            if (turn()) {
                // What a former owner has sent may arrive late, and a stop may leave a part of what came again.
                if (ownership == null && !isRejected) {
                    delivered.requireOrder();
                }
                return;
            }
        }
        throw new Violation("it steps without end: " + state());
    }

    private String state() {
        SimulatedProcess running = process;
        return running == null ? "no process" : running.state() + ", " + running.senderState();
    }

    /** Makes a step, or lets time pass; returns whether everything has arrived and the process has ended in good order. */
    private boolean turn() throws InterruptedException {
        if (time.elapsedNanos() > plan.faultsNanos() + MAX_TIME_AFTER_FAULTS) {
            throw new Violation("image %d never arrives: %s".formatted(delivered.firstUnconfirmed(), state()));
        }
        if (endKilled()) {
            return false;
        }
        List<SimulatedProcess> awake = awake();
        if (awake.isEmpty()) {
            requireEvent(Long.MAX_VALUE);
            return false;
        }
        SimulatedProcess running = awake.get(random.nextInt(awake.size()));
        if (ownership == null && running.endIfStopped()) {
            note("ended", lives, "");
            process = null;
            if (isComplete()) {
                return true;
            }
            afterTheEnd();
            return false;
        }
        String step = random.nextInt(8) == 0 ? null : running.step();
        if (step == null) {
            long left = Math.max(
                    0,
                    awake.stream().mapToLong(SimulatedProcess::nanosLeft).min().orElse(0));
            requireEvent(random.nextInt(8) == 0 ? Math.min(left, random.nextLong(2_000_000)) : left);
        } else {
            note(step, 0, step.equals("reader") ? running.state() : "");
        }
        if (process == running && !running.isDead()) {
            check(running);
        }
        return isRejected || ownership != null && isComplete();
    }

    private List<SimulatedProcess> awake() {
        List<SimulatedProcess> awake = new ArrayList<>(formers);
        if (process != null) {
            awake.add(process);
        }
        SimulatedOwnership shared = ownership;
        if (shared != null) {
            awake.removeIf(any -> !shared.isAwake(any.server()));
        }
        return awake;
    }

    private void requireEvent(long within) {
        SimulatedOwnership shared = ownership;
        long untilShared = shared == null ? Long.MAX_VALUE : Math.max(0, shared.next() - time.elapsedNanos());
        if (shared != null && untilShared <= within && untilShared <= time.untilNext()) {
            time.pass(untilShared);
            shared.step().ifPresent(violation -> {
                throw new Violation(violation);
            });
            return;
        }
        if (!time.runNext(within)) {
            if (within == Long.MAX_VALUE) {
                throw new Violation("nothing will ever happen: " + state());
            }
            time.pass(within);
        }
    }

    private boolean isComplete() {
        return faultsCease()
                && newestBeforeReset == 0
                && source.areReplicasCurrent()
                && delivered.firstUnconfirmed()
                        > source.imagesUpTo(source.primary().newest())
                && (plan.isPulled() || transactionsAcked == source.primary().newest());
    }

    private void check(SimulatedProcess running) {
        Cursor cursor = SmallestCursor.of(running.cursors().kept());
        if (cursor != null && !cursor.equals(checked)) {
            checked = cursor;
            check(cursor);
        }
        if (running.state() instanceof SourceState.Failed failed && DEFECTS.contains(failed.failure())) {
            if (isOfReset(failed.failure()) || mayBeRejected(failed.failure())) {
                isRejected = true;
                return;
            }
            throw new AssertionError("the source has failed: " + failed.failure(), failed.cause());
        }
        if (running.hasFailed()) {
            note("failed", lives, running.state());
            if (ownership == null) {
                running.stop();
            } else {
                ownership.fail(running.server());
            }
        }
        if (ownership == null && !running.isStopping() && isComplete()) {
            note("stop", lives, "complete");
            running.stop();
        }
    }

    /** A source that has given GTIDs again, or file names, has another history. */
    private boolean isOfReset(SourceFailure failure) {
        return newestBeforeReset > 0 && OF_RESETS.contains(failure);
    }

    /** Nor are those known before the begin of the history, if a host is read from there and nothing newer was read. */
    private boolean mayBeRejected(SourceFailure failure) {
        return isChangedBefore && (plan.hasUnknownSchemas() || plan.fallsBack()) && isOfUnknownSchemas(failure);
    }

    /** Also a damage of the first host, if the other one was rejected. */
    private boolean isOfUnknownSchemas(SourceFailure failure) {
        return OF_UNKNOWN_SCHEMAS.contains(failure) || failure == SourceFailure.CORRUPT && source.isDamaged();
    }

    private void check(Cursor cursor) {
        SimulatedHost host = source.of(cursor);
        long before = source.transactionsBefore(cursor);
        note("cursor", before, cursor);
        transactionsAcked = before;
        if (!cursor.gtidSet().isEmpty() && !cursor.gtidSet().equals(host.executedAfter(before))) {
            throw new Violation("%s has the transactions %s, and %s are before it"
                    .formatted(cursor, cursor.gtidSet(), host.executedAfter(before)));
        }
        if (!hasBegun) {
            return;
        }
        if (source.imagesUpTo(before) >= delivered.firstUnconfirmed()) {
            throw new Violation("%s is ahead of image %d, which the broker has not confirmed"
                    .formatted(cursor, delivered.firstUnconfirmed()));
        }
        String column = host.renamedBetween(begun, before);
        if (column != null && !isHistoryCut && cutInLife != lives && !history.mentions(column)) {
            throw new Violation("%s is beyond what the schema history holds: it has no %s".formatted(cursor, column));
        }
    }

    // The environment

    private void write() {
        boolean mayChange = hasBegun || plan.hasUnknownSchemas() || plan.start() instanceof ConfiguredStart.Newest;
        isChangedBefore |= source.write(mayChange, !hasBegun && lives == 0) && !hasBegun;
    }

    private void changePartitions() {
        if (plan.asksBroker() && random.nextBoolean()) {
            partitions.grow(1 + random.nextInt(2));
            note("partitions", partitions.count(), "");
        } else {
            hidePartitions();
        }
    }

    private void hidePartitions() {
        note("partitions unknown", 0, "");
        partitions.setUnknown(true);
        time.schedule(random.nextLong(20 * SECOND), () -> partitions.setUnknown(false));
    }

    private void writeAndGoOn() {
        if (!faultsCease()) {
            for (int count = 1 + random.nextInt(3); count > 0; count--) {
                write();
            }
            time.schedule(random.nextLong(random.nextInt(6) == 0 ? 10 * SECOND : SECOND), this::writeAndGoOn);
        }
    }

    private void disturb() {
        if (faultsCease()) {
            source.recover();
            time.setWall(0);
            partitions.setUnknown(false);
            return;
        }
        SimulatedHost host = source.any();
        switch (random.nextInt(18)) {
            case 0, 1, 2 -> crash();
            case 3 -> stop();
            case 4 -> source.breakDumps(host);
            case 5 -> source.down(host);
            case 6 -> {
                brokerFaults.setDown(true);
                time.schedule(random.nextLong(8 * SECOND), () -> brokerFaults.setDown(false));
            }
            case 7 -> time.setWall(random.nextLong(-3_600_000, 3_600_000));
            case 8 -> host.nameColumns(random.nextBoolean());
            case 9 -> source.setClock();
            case 10, 11, 12 -> source.promote();
            case 13 -> changePartitions();
            case 14, 15 -> reset(host);
            case 16 -> loseHistory();
            default -> purge(host);
        }
        time.schedule(random.nextLong(6 * SECOND), this::disturb);
    }

    private void crash() {
        SimulatedProcess running = process;
        if (running == null || ownership != null || running.isDead()) {
            return;
        }
        note("crash", lives, "");
        running.die();
        history.kill();
        process = null;
        afterTheEnd();
    }

    /** Ends the process in the middle of a step, perhaps: it writes and sends nothing any more. */
    private void perhapsKill() {
        SimulatedProcess running = process;
        if (running == null || ownership != null || running.isDead()) {
            return;
        }
        boolean isSteady = running.state() instanceof SourceState.Streaming;
        if (chance(isSteady ? killRate : KILLS_BEFORE_STREAMING * killRate)) {
            note("kill", lives, "");
            running.die();
            history.kill();
        }
    }

    /** Whether the process that makes a request is dead, perhaps by this request. */
    private boolean isKilled() {
        perhapsKill();
        SimulatedProcess running = process;
        return running != null && running.isDead();
    }

    private boolean endKilled() {
        SimulatedProcess running = process;
        if (running == null || ownership != null || !running.isDead()) {
            return false;
        }
        process = null;
        afterTheEnd();
        return true;
    }

    private void stop() {
        SimulatedProcess running = process;
        if (running != null && ownership == null && !running.isStopping()) {
            note("stop", lives, "");
            running.stop();
        }
    }

    /** Faults between two processes. */
    private void afterTheEnd() {
        history.kill();
        loseHistory();
        if (hasBegun && !faultsCease() && plan.movesCursor() && random.nextInt(3) == 0) {
            moveCursor();
        }
        time.schedule(random.nextLong(2 * SECOND), () -> start("", Ownership.SOLE));
    }

    /** Also while a process has it open, as when the server of the history fails over to a replica that lags. */
    private void loseHistory() {
        if (hasBegun && !faultsCease() && plan.losesHistory()) {
            int lost = Math.min(random.nextInt(4), history.transactions() - historyBase);
            if (lost > 0) {
                note("history loses", lost, process == null ? "between processes" : "while it is open");
                history.loseTail(lost);
                isHistoryCut = true;
                cutInLife = process == null ? cutInLife : lives;
            }
        }
    }

    /** An operator moves the cursor, as {@code cursor set} does. */
    private void moveCursor() {
        SimulatedHost host = source.primary();
        FileCursorStore cursors = openCursors(() -> false, () -> false, () -> {});
        Cursor old = SmallestCursor.of(cursors.kept());
        if (old == null) {
            return;
        }
        List<Transaction> all = host.binlog().transactions().stream()
                .filter(transaction -> transaction.number() >= begun) // nothing is known of tables before
                .toList();
        if (all.isEmpty()) {
            return;
        }
        Transaction chosen = all.get(random.nextInt(all.size()));
        Cursor moved = new Cursor(
                SourceServer.at(host.address().host(), host.address().port()),
                new BinlogPosition(chosen.file(), chosen.end()),
                old.gtidSet().isEmpty() && !plan.keepsGtids() ? "" : chosen.gtidsAfter(),
                7,
                host.binlog().seconds() * 1000,
                old.schema());
        note("cursor moved", chosen.number(), moved);
        delivered.moveTo(source.imagesUpTo(chosen.number()) + 1);
        cursors.saveAll(() -> moved);
        cursors.close();
        isHistoryCut = true;
    }

    /** Purges the binlog before the cursor on the disk. */
    private void purge(SimulatedHost host) {
        Cursor cursor = plan.purges() ? storedCursor() : null;
        if (cursor != null) {
            source.purge(host, cursor);
        }
    }

    private void reset(SimulatedHost host) {
        Cursor cursor = plan.resets() ? storedCursor() : null;
        if (cursor != null && hasBegun) {
            source.reset(host, source.transactionsBefore(cursor));
        }
    }

    /** Nothing of what is written then may be delivered. Before something was read it would not be noticed. */
    private void forget() {
        Cursor cursor = plan.forgets() ? storedCursor() : null;
        if (cursor != null && hasBegun && source.transactionsBefore(cursor) > begun && source.forget()) {
            newestBeforeReset = source.imagesWritten();
            delivered.endAt(newestBeforeReset);
        }
    }

    /** The cursor on the disk; null if there is none. */
    private @Nullable Cursor storedCursor() {
        return file.text() == null
                ? null
                : SmallestCursor.of(
                        openCursors(() -> false, () -> false, () -> {}).kept());
    }

    private void damage() {
        if (plan.damages()) {
            source.damage();
        }
    }

    // The parts of a process

    private SimulatedServers newServers() {
        return new SimulatedServers(
                source.hosts(),
                time,
                () -> chance(failureRate) || isKilled(),
                random.nextInt(3) == 0 ? () -> false : random::nextBoolean,
                mistake == Mistake.SUCCEEDS_AT_THE_FORMAT_DESCRIPTION);
    }

    private void start(String server, Ownership held) {
        if (process != null) {
            return;
        }
        if (lives++ > 0) {
            if (ownership == null) {
                broker.begin();
            } else {
                broker = new SimulatedBroker(time, random.split(), brokerFaults, delivered, false);
            }
        }
        if (plan.isPulled() && file.text() == null && !delivered.isAnyConfirmed()) {
            hasBegun = false; // no client has subscribed yet
        }
        note("start", lives, "");
        servers = newServers();
        process = new SimulatedProcess(
                server,
                held,
                new RealParts(),
                time,
                random.split(),
                servers,
                mistake != Mistake.KEEPS_NO_FIRST_POSITION,
                mistake != Mistake.KEEPS_THE_CURSOR_WHEN_THE_STREAM_GOES_BACK,
                cursor -> first = cursor,
                this::streams);
    }

    private void streams() {
        isHistoryCut = false;
        Cursor begin = first;
        if (!hasBegun && begin != null) {
            hasBegun = true;
            historyBase = history.transactions();
            long before = source.transactionsBefore(begin);
            note("begins", before, begin);
            begun = before;
            delivered.beginAt(source.imagesUpTo(before) + 1);
        }
    }

    private FileCursorStore openCursors(BooleanSupplier isDead, BooleanSupplier fails, Runnable aroundWrites) {
        return FileCursorStore.open(
                file.opened(isDead, fails, random::nextBoolean, aroundWrites),
                NAME,
                new SimulatedScheduler(time, isDead),
                Duration.ofMillis(100 + random.nextInt(2_000)),
                time);
    }

    /** Real parts, or those that a mistake replaces them by. */
    private final class RealParts implements SimulatedProcess.Parts {
        @Override
        public CursorStore cursors(SimulatedProcess of) {
            CursorStore cursors = openCursors(
                    () -> !of.mayWrite(), () -> chance(2 * failureRate), InstanceSimulation.this::perhapsKill);
            return mistake == Mistake.LEAVES_OUT_CLIENTS_WITHOUT_A_CURSOR ? new ForgetfulCursors(cursors) : cursors;
        }

        @Override
        public EntryStore store() {
            int slots = plan.encodesAhead() ? 1 << (2 + random.nextInt(6)) : SLOTS_FOR_ALL;
            int waiting = plan.encodesAhead() ? slots >> random.nextInt(3) : slots;
            EntryRing ring = new EntryRing(new RingConfig(slots, 1024, random.nextBoolean(), waiting));
            return mistake == Mistake.RESTARTS_AFTER_INNER_DDL ? new InnerDdlStore(ring, source.primary()) : ring;
        }

        @Override
        public TableFilter tables(CursorStore cursors) {
            boolean isKept = mistake == Mistake.KEEPS_AN_EXPENSIVE_FILTER
                    && cursors.subscriptions().stream()
                            .anyMatch(client -> client.filter().equals(SimulatedClients.EXPENSIVE_FILTER));
            return new TableFilter(isKept ? SimulatedClients.EXPENSIVE_FILTER : "", "");
        }

        @Override
        public @Nullable SimulatedClients clients(SimulatedProcess of, TableFilter tables, EntryStore store) {
            return plan.isPulled()
                    ? new SimulatedClients(
                            of,
                            time,
                            random.split(),
                            store,
                            tables,
                            delivered,
                            mistake,
                            InstanceSimulation.this::faultsCease)
                    : null;
        }

        @Override
        public SimulatedReader reader(
                SimulatedProcess of, TableFilter tables, EntryStore store, @Nullable Cursor cursor) {
            return new SimulatedReader(
                    NAME,
                    new SourceOptions(
                            source.hosts().stream()
                                    .map(host -> host.asSource(plan.start()))
                                    .toList(),
                            99,
                            new PositionOptions(false, plan.keepsGtids(), false, plan.fallback()),
                            List.of("ROW"),
                            List.of("FULL"),
                            Duration.ofSeconds(2 + random.nextInt(5)),
                            random.nextInt(4),
                            null),
                    new SourceStream(
                                    StreamOptions.DEFAULT.without(
                                            random.nextInt(3) == 0
                                                    ? EnumSet.of(
                                                            Omitted.OTHER_STATEMENTS, Omitted.TRANSACTION_BOUNDARIES)
                                                    : EnumSet.of(Omitted.OTHER_STATEMENTS)),
                                    tables,
                                    ColumnTypes.defaults(ZoneOffset.UTC),
                                    new SchemaOptions(new HistoryConfig(
                                            NAME,
                                            new HistoryLocation.LocalFile(Path.of("unused"), Path.of("unused"), ""),
                                            "",
                                            "",
                                            Duration.ofMinutes(random.nextInt(3) * 10L),
                                            Duration.ofDays(1))))
                            .with(of.cursors().kept()),
                    store,
                    cursor == null ? null : believed(cursor),
                    plan.encodesAhead() ? new EncodingPool(of::encode) : null,
                    of.listener(),
                    servers,
                    history::open,
                    time,
                    random.split());
        }

        private Cursor believed(Cursor cursor) {
            SchemaReference reference = cursor.schema();
            boolean isBelieved = mistake == Mistake.BELIEVES_A_HISTORY_WITHOUT_ITS_TAIL && plan.losesHistory()
                    || mistake == Mistake.BELIEVES_A_MOVED_CURSOR && plan.movesCursor();
            return isBelieved && reference != null
                    ? cursor.withSchema(new SchemaReference(reference.historyId(), 0, cursor.position()))
                    : cursor;
        }

        @Override
        public @Nullable SimulatedSender sender(SimulatedProcess of, EntryStore store) {
            if (plan.isPulled()) {
                return null;
            }
            return new SimulatedSender(
                    new SenderConfig(
                            NAME,
                            BatchLimit.entries(1 + random.nextInt(12)),
                            Duration.ofMillis(50 + random.nextInt(250)),
                            OptionalInt.of(1 + random.nextInt(8)),
                            Duration.ofSeconds(2 + random.nextInt(20))),
                    store,
                    of.cursors(),
                    converter(),
                    of::convert,
                    new OwnedProducer(broker, of.ownership(), of::isDead, InstanceSimulation.this::perhapsKill),
                    new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5), random.split()),
                    time,
                    RejectionPolicy.STOP);
        }

        private BatchConverter converter() {
            FixedRouter target = new FixedRouter(NAME, 0);
            if (plan.encodesAhead()) {
                return Converters.OF_BINLOG.packets(target, PacketStyle.RAW, broker.maxValueBytes());
            }
            if (plan.partitions() == 1) {
                return Converters.OF_BINLOG.flat(target, time);
            }
            RuleTexts rules = new RuleTexts(
                    NAME,
                    0,
                    "",
                    ".*\\..*:$pk$",
                    true,
                    OptionalInt.of(plan.asksBroker() ? PARTITIONS_WITHOUT_ANSWER : plan.partitions()),
                    "",
                    plan.asksBroker(),
                    "");
            return Converters.OF_BINLOG.flat(
                    RoutingRules.read(rules)
                            .router(new BrokerPartitions(partitions, BrokerPartitions.INTERVAL, Runnable::run, time)),
                    KeyChange.SPLIT,
                    DdlPartition.FIRST,
                    ChangeHeaders.NONE,
                    time);
        }
    }
}
