package io.sluice.store.cursor.zookeeper;

import io.sluice.store.cursor.Clients;
import io.sluice.store.cursor.ClientsJson;
import io.sluice.store.cursor.CursorEditor;
import io.sluice.store.cursor.CursorException;
import io.sluice.store.cursor.ReadableClients;
import io.sluice.store.cursor.Subscription;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.curator.framework.api.transaction.TransactionOp;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.jspecify.annotations.Nullable;

/** Changes a destination's nodes in ZooKeeper, unless a server owns it; what was there before is in a node of Sluice. */
public final class ZooKeeperCursorEditor implements CursorEditor {
    private final CuratorFramework zooKeeper;
    private final String destination;
    private final ZooKeeperClients nodes;

    /**
     * Makes one.
     *
     * @param zooKeeper is started
     */
    public ZooKeeperCursorEditor(CuratorFramework zooKeeper, String destination) {
        this.zooKeeper = zooKeeper;
        this.destination = destination;
        this.nodes = new ZooKeeperClients(zooKeeper, destination);
    }

    @Override
    public String location() {
        return CanalNodes.destination(destination) + " in ZooKeeper";
    }

    @Override
    public String damagedPlace() {
        return CanalNodes.damaged(destination) + " in ZooKeeper";
    }

    @Override
    public List<Subscription> read() {
        try {
            return new Clients(nodes.read()).kept();
        } catch (CursorException e) {
            throw e;
        } catch (Exception e) {
            throw failed("read", e);
        }
    }

    @Override
    public ReadableClients readable() {
        try {
            ZooKeeperClients.Found found = nodes.readEach();
            return new ReadableClients(
                    new Clients(found.clients()).kept(), found.damaged(), found.isOrderDamaged(), false);
        } catch (CursorException e) {
            throw e;
        } catch (Exception e) {
            throw failed("read", e);
        }
    }

    @Override
    public Optional<List<Subscription>> previous() {
        try {
            byte[] data = zooKeeper.getData().forPath(CanalNodes.previous(destination));
            return data.length == 0
                    ? Optional.empty()
                    : Optional.of(ClientsJson.parse(new String(data, StandardCharsets.UTF_8), destination)
                            .subscriptions());
        } catch (KeeperException.NoNodeException e) {
            return Optional.empty();
        } catch (Exception e) {
            throw failed("read", e);
        }
    }

    /**
     * In one transaction: it owns the destination for that moment, which fails if a server does, and counts as an owner, so
     * that a late write of a former one is rejected.
     */
    @Override
    public void replace(List<Subscription> clients, Set<Integer> untouched) {
        String running = CanalNodes.running(destination);
        String epoch = CanalNodes.epoch(destination);
        try {
            List<Subscription> before = readToReplace();
            String place = before == null ? CanalNodes.damaged(destination) : CanalNodes.previous(destination);
            for (String path : List.of(CanalNodes.destination(destination), epoch, place)) {
                MissingNodes.make(zooKeeper, path);
            }
            TransactionOp operation = zooKeeper.transactionOp();
            List<CuratorOp> operations = new ArrayList<>();
            operations.add(operation.create().withMode(CreateMode.EPHEMERAL).forPath(running, new byte[0]));
            operations.add(
                    operation.setData().forPath(epoch, "released by an operator".getBytes(StandardCharsets.UTF_8)));
            String kept = before == null ? nodes.raw() : text(before);
            operations.add(operation.setData().forPath(place, kept.getBytes(StandardCharsets.UTF_8)));
            List<Subscription> wanted = new ArrayList<>(new Clients(clients).kept());
            if (before != null) { // they were damaged when the others were read
                before.stream()
                        .filter(client -> untouched.contains(client.clientId()))
                        .forEach(wanted::add);
            }
            operations.addAll(
                    before == null ? nodes.replacement(wanted, untouched) : nodes.changes(before, wanted, Set.of()));
            operations.add(operation.delete().forPath(running));
            TransactionSize.require(operations, zooKeeper, destination);
            var unused = Transactions.run(zooKeeper, operations);
        } catch (KeeperException.NodeExistsException e) {
            throw new CursorException(
                    "a server runs %s, and would write its own cursors over these: stop it first; see %s"
                            .formatted(destination, running),
                    e);
        } catch (CursorException e) {
            throw e;
        } catch (Exception e) {
            throw failed("written", e);
        }
    }

    /** The clients that are there; null if they are damaged. */
    private @Nullable List<Subscription> readToReplace() throws Exception {
        try {
            return nodes.read();
        } catch (CursorException e) {
            if (!e.isDamage()) {
                throw e;
            }
            return null;
        }
    }

    private String text(List<Subscription> clients) {
        ClientsJson json = ClientsJson.empty(destination);
        json.setSubscriptions(clients);
        return json.text();
    }

    private CursorException failed(String what, Exception cause) {
        return new CursorException(
                "the cursors below %s cannot be %s: %s".formatted(CanalNodes.destination(destination), what, cause),
                cause);
    }
}
