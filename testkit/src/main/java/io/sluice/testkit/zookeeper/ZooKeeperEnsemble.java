package io.sluice.testkit.zookeeper;

import io.sluice.testkit.process.Folders;
import io.sluice.testkit.process.FreePorts;
import io.sluice.testkit.process.Polling;
import io.sluice.testkit.proxy.Gate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Three ZooKeeper servers in processes of their own, numbered 0 to 2. For one thread at a time.
 *
 * <p>The connection of a follower to its leader passes through a gate, one for each pair of servers and direction, so that a
 * server can be cut off from the others while its clients still reach it. Elections use direct connections: a server that
 * was cut off may learn which one leads, but it cannot follow.
 */
public final class ZooKeeperEnsemble implements AutoCloseable {
    private static final int SIZE = 3;
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final Path folder = Folders.temporary("sluice-ensemble-");
    private final List<ZooKeeperMember> members = new ArrayList<>();
    private final int[] clientPorts = freePorts();
    private final int[] quorumPorts = freePorts();
    private final int[] electionPorts = freePorts();

    /** By the follower, then by the leader; that of a server to itself is not used. */
    private final List<List<Gate>> gates = new ArrayList<>();

    private final boolean[] paused = new boolean[SIZE];

    private ZooKeeperEnsemble(int tickMillis, int syncLimit) {
        for (int follower = 0; follower < SIZE; follower++) {
            gates.add(IntStream.of(quorumPorts)
                    .mapToObj(port -> new Gate(() -> port))
                    .toList());
        }
        for (int member = 0; member < SIZE; member++) {
            members.add(new ZooKeeperMember(configure(member, tickMillis, syncLimit), clientPorts[member]));
        }
    }

    /**
     * Starts an ensemble without data, and returns when it has a leader and all others follow.
     *
     * @param tickMillis {@code tickTime}; a session may be as short as two of them
     * @param syncLimit the ticks after which a follower that hears nothing of its leader gives up, and a leader the follower
     */
    public static ZooKeeperEnsemble start(int tickMillis, int syncLimit) {
        ZooKeeperEnsemble ensemble = new ZooKeeperEnsemble(tickMillis, syncLimit);
        try {
            ensemble.members.forEach(ZooKeeperMember::begin);
            ensemble.awaitComplete();
            return ensemble;
        } catch (RuntimeException e) {
            ensemble.close();
            throw e;
        }
    }

    private static int[] freePorts() {
        return IntStream.range(0, SIZE).map(i -> FreePorts.next()).toArray();
    }

    private Path configure(int member, int tickMillis, int syncLimit) {
        Path home = folder.resolve(Integer.toString(member));
        StringBuilder text = new StringBuilder(
                """
                tickTime=%d
                initLimit=%d
                syncLimit=%d
                dataDir=%s
                clientPort=%d
                clientPortAddress=127.0.0.1
                maxClientCnxns=0
                maxSessionTimeout=60000
                admin.enableServer=false
                4lw.commands.whitelist=srvr, cons
                """.formatted(tickMillis, syncLimit, syncLimit, home.resolve("data"), clientPorts[member]));
        for (int other = 0; other < SIZE; other++) {
            text.append("server.%d=127.0.0.1:%d:%d%n"
                    .formatted(
                            other,
                            other == member
                                    ? quorumPorts[member]
                                    : gates.get(member).get(other).port(),
                            electionPorts[other]));
        }
        try {
            Files.createDirectories(home.resolve("data"));
            Files.writeString(home.resolve("data").resolve("myid"), Integer.toString(member));
            Files.writeString(home.resolve("zoo.cfg"), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return home;
    }

    /** What clients of all servers connect to. */
    public String connectString() {
        return IntStream.range(0, SIZE).mapToObj(this::connectString).collect(Collectors.joining(","));
    }

    /** What clients of one server only connect to. */
    public String connectString(int member) {
        return "127.0.0.1:" + clientPorts[member];
    }

    /** The port where a server's clients connect. */
    public int clientPort(int member) {
        return clientPorts[member];
    }

    /** Returns the number of the leader, when there is one. */
    public int leader() {
        int[] found = {-1};
        require("elect a leader", () -> {
            for (int member = 0; member < SIZE; member++) {
                // A paused node would hold up the test, and does not lead.
                if (members.get(member).isRunning()
                        && !paused[member]
                        && members.get(member).mode().equals("leader")) {
                    found[0] = member;
                }
            }
            return found[0] >= 0;
        });
        return found[0];
    }

    /** The servers that follow now, or could: all but the leader. */
    public List<Integer> followers() {
        int leader = leader();
        return IntStream.range(0, SIZE)
                .filter(member -> member != leader)
                .boxed()
                .toList();
    }

    /** Waits until there is a leader, and all others follow it. */
    public void awaitComplete() {
        require(
                "be complete",
                () -> members.stream()
                                        .map(ZooKeeperMember::mode)
                                        .filter("leader"::equals)
                                        .count()
                                == 1
                        && members.stream()
                                        .map(ZooKeeperMember::mode)
                                        .filter("follower"::equals)
                                        .count()
                                == SIZE - 1);
    }

    private void require(String what, BooleanSupplier condition) {
        if (!Polling.await(TIMEOUT, condition)) {
            throw new IllegalStateException("the ensemble does not %s: %s"
                    .formatted(what, members.stream().map(ZooKeeperMember::mode).toList()));
        }
    }

    /** Whether a client with this session is connected to a server. */
    public boolean serves(int member, long session) {
        return members.get(member).serves(session);
    }

    /** Cuts a server off from the others: nothing passes any more between it and them, and no connection is closed. */
    public void isolate(int member) {
        forEachGateOf(member, Gate::freeze);
    }

    /** Forwards what was sent meanwhile, and all that follows. */
    public void heal(int member) {
        forEachGateOf(member, Gate::thaw);
    }

    private void forEachGateOf(int member, Consumer<Gate> action) {
        for (int other = 0; other < SIZE; other++) {
            if (other != member) {
                action.accept(gates.get(member).get(other));
                action.accept(gates.get(other).get(member));
            }
        }
    }

    /** Freezes a server's process: its connections stay open, and nothing answers. */
    public void pause(int member) {
        members.get(member).pause();
        paused[member] = true;
    }

    /** Continues a paused server. */
    public void resume(int member) {
        members.get(member).resume();
        paused[member] = false;
    }

    /** Ends a server as a crash would. */
    public void kill(int member) {
        members.get(member).kill();
    }

    /** Ends a server in good order if it runs, and starts it again with the same data at the same ports. */
    public void restart(int member) {
        members.get(member).restart();
    }

    /** Undoes all faults, and waits until all servers work together. */
    public void repair() {
        for (int member = 0; member < SIZE; member++) {
            heal(member);
            if (paused[member]) {
                resume(member);
            }
            if (!members.get(member).isRunning()) {
                restart(member);
            }
        }
        awaitComplete();
    }

    /** What a server has logged, for messages. */
    public String log(int member) {
        return members.get(member).log();
    }

    @Override
    public void close() {
        members.forEach(ZooKeeperMember::close);
        gates.forEach(ofFollower -> ofFollower.forEach(Gate::close));
        Folders.delete(folder);
    }
}
