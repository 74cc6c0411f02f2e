package io.sluice.server.simulation;

import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.testkit.binlog.RandomTransactions;
import io.sluice.testkit.binlog.RandomTransactions.Form;
import io.sluice.testkit.binlog.SyntheticBinlog;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;

/** The servers of a source: one to which is written, and others that replicate from it, or that take its place. */
final class SimulatedSource {
    private static final UUID UUID_OF_GTIDS = UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001");
    private static final long FIRST_SERVER_ID = 7;
    private static final long SECOND = 1_000_000_000L;
    private static final List<Form> SCHEMA_CHANGES = List.copyOf(RandomTransactions.SCHEMA_CHANGES);

    private final Plan plan;
    private final SimulatedClock time;
    private final SplittableRandom random;
    private final Trace trace;
    private final List<SimulatedHost> hosts = new ArrayList<>();
    private final HostClocks clocks;
    private final List<Form> forms;

    /** What was written, in its order. */
    private final List<Written> written = new ArrayList<>();

    private int primary;

    /** The newest time of what was written. */
    private long newestSeconds;

    /** A form of transactions, when it was written, and the id of the server on which it was. */
    private record Written(Form form, long seconds, long writer) {}

    SimulatedSource(Plan plan, SimulatedClock time, SplittableRandom random, Trace trace) {
        this.plan = plan;
        this.time = time;
        this.random = random;
        this.trace = trace;
        this.forms = new ArrayList<>(RandomTransactions.formsOf(plan.flavour()));
        // Rows that are rolled back come or do not, as the connection breaks.
        forms.removeAll(Set.of(Form.CRASH, Form.ROTATION, Form.SAVEPOINTS, Form.ROLLED_BACK));
        this.clocks = new HostClocks(time, plan.hosts(), plan.clocksDiffer().toSeconds());
        long workload = random.nextLong();
        boolean checksummed = random.nextBoolean();
        for (int i = 0; i < plan.hosts(); i++) {
            int number = i;
            clocks.set(number, random);
            SimulatedHost host = new SimulatedHost(
                    new ServerAddress("db" + (i + 1), 3306),
                    i == 0 ? UUID_OF_GTIDS.toString() : "00000000-e4de-11f1-8f50-02fc00000002",
                    i > 0,
                    new SyntheticBinlog(
                            plan.flavour(), FIRST_SERVER_ID, UUID_OF_GTIDS, time.sourceSeconds() - 100, checksummed),
                    workload);
            host.identifyAs(FIRST_SERVER_ID + i, () -> clocks.seconds(number));
            host.nameColumns(random.nextInt(4) == 0);
            hosts.add(host);
        }
    }

    private void note(String what, long number, Object forPeople) {
        trace.note(time.elapsedNanos(), what, number, forPeople);
    }

    List<SimulatedHost> hosts() {
        return hosts;
    }

    /** The host to which is written. */
    SimulatedHost primary() {
        return hosts.get(primary);
    }

    SimulatedHost any() {
        return hosts.get(random.nextInt(hosts.size()));
    }

    /** The host that a cursor is of. */
    SimulatedHost of(Cursor cursor) {
        return hosts.stream().filter(any -> any.is(cursor)).findFirst().orElseThrow();
    }

    /** The number of the newest transaction before a cursor. */
    long transactionsBefore(Cursor cursor) {
        SimulatedHost host = of(cursor);
        if (cursor.position().isKnown() && host.resetAfter() == 0) {
            return host.transactionsBefore(cursor.position());
        }
        long number = 0;
        while (!host.executedAfter(number).equals(cursor.gtidSet())) {
            number++;
        }
        return number;
    }

    int imagesUpTo(long transaction) {
        return primary().transactions().imagesUpTo(transaction);
    }

    int imagesWritten() {
        return primary().transactions().images();
    }

    boolean areReplicasCurrent() {
        return hosts.stream().allMatch(host -> host.written() == written.size());
    }

    /** Whether the first host may be damaged, and is. */
    boolean isDamaged() {
        return hosts.get(0).isDamaged();
    }

    /**
     * Writes transactions of a random form.
     *
     * @param mayChangeSchemas whether tables may be changed
     * @param isReplicatedAtOnce whether the other hosts have them at once, too
     * @return whether tables were changed
     */
    boolean write(boolean mayChangeSchemas, boolean isReplicatedAtOnce) {
        Form form = random.nextInt(6) == 0 && mayChangeSchemas && isClockRight()
                ? SCHEMA_CHANGES.get(random.nextInt(SCHEMA_CHANGES.size()))
                : forms.get(random.nextInt(forms.size()));
        SimulatedHost source = primary();
        Written next = new Written(form, source.seconds(), source.serverId());
        source.write(next.form(), next.seconds(), next.writer());
        newestSeconds = Math.max(newestSeconds, source.binlog().seconds());
        clocks.passTo(primary, source.binlog().seconds());
        note("write", source.newest(), form);
        written.add(next);
        for (SimulatedHost host : hosts) {
            if (host != source && isReplicatedAtOnce) {
                replicate(host);
            } else if (host != source) {
                time.schedule(
                        random.nextLong(random.nextInt(20) == 0 ? 10 * SECOND : SECOND / 10), () -> replicate(host));
            }
        }
        if (random.nextInt(12) == 0) {
            any().rotate();
        }
        return RandomTransactions.SCHEMA_CHANGES.contains(form);
    }

    /** A replica applies in the order of the source, and its events have the times of the source's. */
    private void replicate(SimulatedHost replica) {
        Written next = written.get(replica.written());
        replica.write(next.form(), next.seconds(), next.writer());
    }

    /**
     * Where a change of the host goes back by time, a change of schemas that is older by its clock than rows before it counts as before these,
     * which would get its columns.
     */
    private boolean isClockRight() {
        return !plan.fallsBack() || primary().seconds() >= newestSeconds;
    }

    /** A replica takes the place of the source when it has all of it. GTIDs of MariaDB state which server wrote a transaction, and stay with one server. */
    void promote() {
        if (!areReplicasCurrent() || plan.flavour().isMariaDb()) {
            return;
        }
        SimulatedHost former = primary();
        former.setReplica(true);
        primary = random.nextInt(hosts.size());
        primary().setReplica(false);
        note("promote", primary, primary().address());
        if (random.nextBoolean()) {
            setClock();
        }
        if (random.nextBoolean()) {
            down(former);
        }
    }

    void setClock() {
        int host = random.nextInt(hosts.size());
        long before = clocks.seconds(host);
        clocks.set(host, random);
        note("clock", clocks.seconds(host) - before, hosts.get(host).address());
    }

    void breakDumps(SimulatedHost host) {
        note("break", 0, host.address());
        host.breakDumps();
    }

    void down(SimulatedHost host) {
        note("down", 0, host.address());
        host.setDown(true);
        time.schedule(random.nextLong(10 * SECOND), () -> host.setDown(false));
    }

    /** Purges the binlog of a host before a cursor. */
    void purge(SimulatedHost host, Cursor cursor) {
        String kept = cursor.gtidSet().isEmpty() && of(cursor) == host
                ? cursor.position().file()
                : "";
        long before = transactionsBefore(cursor);
        if (plan.fallsBack()) {
            long seconds = cursor.timestampMillis() / 1000
                    - plan.fallback().toSeconds()
                    - plan.clocksDiffer().toSeconds()
                    - 1;
            before = Math.min(before, host.transactionsUntil(seconds));
            String begun =
                    host.fileBegunBy(seconds); // a replica that lags may begin a file before it has older transactions
            kept = Collections.min(List.of(host.fileOf(before), begun));
        }
        note("purge", host.purge(before, kept), host.address());
    }

    /**
     * Resets the binlog of a host, which keeps its GTIDs. Another host has all that is not read then, or all is read.
     *
     * @param acked the newest transaction before the cursor
     */
    void reset(SimulatedHost host, long acked) {
        boolean isReadFromAnother = hosts.stream()
                .anyMatch(other ->
                        other != host && other.resetAfter() <= acked && (!plan.damages() || other != hosts.get(0)));
        if (!host.isDamaged() && (isReadFromAnother || acked == host.newest()) && host.reset(true)) {
            note("reset", host.newest(), host.address());
        }
    }

    /** Resets the binlog, so that the source gives GTIDs again that were read. It has no replicas. */
    boolean forget() {
        clocks.passTo(primary, newestSeconds + 2);
        if (!primary().reset(false)) {
            return false;
        }
        note("forget", written.size(), primary().address());
        return true;
    }

    /** Makes all unreadable that comes next on the first host. */
    void damage() {
        SimulatedHost host = hosts.get(0);
        if (!host.isDamaged()) {
            note("damage", host.binlog().end(), host.address());
            host.damageAt(
                    new BinlogPosition(host.binlog().newestFile(), host.binlog().end()));
        }
    }

    void recover() {
        hosts.forEach(host -> host.setDown(false));
    }
}
