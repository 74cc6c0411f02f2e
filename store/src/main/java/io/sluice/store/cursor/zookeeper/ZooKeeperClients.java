package io.sluice.store.cursor.zookeeper;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.position.CursorFormatException;
import io.sluice.protocol.position.CursorJson;
import io.sluice.store.cursor.CursorException;
import io.sluice.store.cursor.Subscription;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.curator.framework.api.transaction.TransactionOp;
import org.apache.zookeeper.KeeperException;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the nodes of a destination's clients. Its exceptions are those of ZooKeeper.
 *
 * <p>That a client has left is stated by a key in its cursor, {@code "unsubscribed":true}, which canal ignores, and replaces with the cursor as soon
 * as it has the client again.
 */
final class ZooKeeperClients {
    private static final String UNSUBSCRIBED = "unsubscribed";

    private final CuratorFramework zooKeeper;
    private final String destination;

    ZooKeeperClients(CuratorFramework zooKeeper, String destination) {
        this.zooKeeper = zooKeeper;
        this.destination = destination;
    }

    /**
     * All clients.
     *
     * @throws CursorFormatException if a cursor is not one
     */
    List<Subscription> read() throws Exception {
        List<Subscription> clients = new ArrayList<>();
        for (int id : ids()) {
            String filter = text(CanalNodes.filter(destination, id));
            clients.add(withCursor(new Subscription(id, filter == null ? "" : filter, null)));
        }
        clients.sort((one, other) -> Integer.compare(one.clientId(), other.clientId()));
        return withOrder(clients);
    }

    /**
     * What can be read of the clients if some are damaged.
     *
     * @param clients those that can be read
     * @param damaged those whose cursor is none, with their filters
     * @param isOrderDamaged whether the order of the filters cannot be read
     */
    record Found(List<Subscription> clients, List<Subscription> damaged, boolean isOrderDamaged) {}

    /** As {@link #read}, but client by client. */
    Found readEach() throws Exception {
        List<Subscription> all = new ArrayList<>();
        Set<Integer> damaged = new TreeSet<>();
        for (int id : new TreeSet<>(ids())) {
            String filter = text(CanalNodes.filter(destination, id));
            Subscription client = new Subscription(id, filter == null ? "" : filter, null);
            try {
                client = withCursor(client);
            } catch (CursorException e) {
                requireDamage(e);
                damaged.add(id);
            }
            all.add(client);
        }
        boolean isOrderDamaged = false;
        try {
            all = withOrder(all);
        } catch (CursorException e) {
            requireDamage(e);
            isOrderDamaged = true;
        }
        List<Subscription> readable = new ArrayList<>(all);
        readable.removeIf(client -> damaged.contains(client.clientId()));
        all.removeAll(readable);
        return new Found(readable, all, isOrderDamaged);
    }

    private static void requireDamage(CursorException failure) {
        if (!failure.isDamage()) {
            throw failure;
        }
    }

    private List<Subscription> withOrder(List<Subscription> clients) throws Exception {
        String path = CanalNodes.filterOrder(destination);
        String order = text(path);
        if (order == null) {
            return clients;
        }
        try {
            return FilterOrder.apply(order, clients);
        } catch (IllegalArgumentException e) {
            throw CursorException.ofDamage(
                    "node %s cannot be used: %s: delete it, which puts the filter of the client with the largest id into force"
                            .formatted(path, e.getMessage()),
                    e);
        }
    }

    private Subscription withCursor(Subscription client) throws Exception {
        String path = CanalNodes.cursor(destination, client.clientId());
        String json = text(path);
        if (json == null) {
            return client;
        }
        try {
            JsonNode cursor = CursorJson.parse(json);
            return client.withCursor(CursorJson.read(cursor))
                    .withUnsubscribed(cursor.path(UNSUBSCRIBED).asBoolean(false));
        } catch (CursorFormatException e) {
            throw CursorException.ofDamage(
                    ("cursor node %1$s cannot be used: %2$s: correct it, or set where to continue: bin/sluice.sh cursor set %3$s --time TIME,"
                                    + " or --to FILE:OFFSET; or take what was there before the last change by an operator: bin/sluice.sh cursor restore %3$s")
                            .formatted(path, e.getMessage(), destination),
                    e);
        }
    }

    private List<Integer> ids() throws Exception {
        return childrenOf(CanalNodes.destination(destination)).stream()
                .filter(ZooKeeperClients::isClientId)
                .map(Integer::valueOf)
                .toList();
    }

    /** Ids are {@code short} in canal's protocol, so they may be negative. */
    private static boolean isClientId(String name) {
        try {
            return name.equals(Short.toString(Short.parseShort(name)));
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private List<String> childrenOf(String path) throws Exception {
        try {
            return zooKeeper.getChildren().forPath(path);
        } catch (KeeperException.NoNodeException e) {
            return List.of();
        }
    }

    /** Whether a node has any: one that was made for a change which was not carried out has none. */
    boolean hasText(String path) throws Exception {
        String text = text(path);
        return text != null && !text.isEmpty();
    }

    /** The text of a node; null if there is no such node. */
    private @Nullable String text(String path) throws Exception {
        try {
            byte[] data = zooKeeper.getData().forPath(path);
            return data == null ? "" : new String(data, StandardCharsets.UTF_8);
        } catch (KeeperException.NoNodeException e) {
            return null;
        }
    }

    /**
     * Writes {@code wanted} into the nodes, in one transaction.
     *
     * @param known their content when they were last read or written; only differences are written
     * @param unknown the ids of clients that may be otherwise in the nodes, or not there
     * @param fence nodes that must be at these versions, or nothing is written
     * @throws KeeperException.BadVersionException if the fence does not hold, or NoNodeException if a node of it is gone
     * @throws CursorException if the transaction is too large for ZooKeeper
     */
    void write(List<Subscription> known, List<Subscription> wanted, Set<Integer> unknown, List<NodeVersion> fence)
            throws Exception {
        List<CuratorOp> changes = changes(known, wanted, unknown);
        if (changes.isEmpty()) {
            return;
        }
        MissingNodes.make(zooKeeper, CanalNodes.destination(destination));
        TransactionOp transaction = zooKeeper.transactionOp();
        List<CuratorOp> operations = new ArrayList<>();
        for (NodeVersion node : fence) {
            operations.add(transaction.check().withVersion(node.version()).forPath(node.path()));
        }
        operations.addAll(changes);
        TransactionSize.require(operations, zooKeeper, destination);
        var unused = Transactions.run(zooKeeper, operations);
    }

    /** The operations that turn {@code known}, which is not certain of some ids, into {@code wanted}. */
    List<CuratorOp> changes(List<Subscription> known, List<Subscription> wanted, Set<Integer> unknown)
            throws Exception {
        TransactionOp transaction = zooKeeper.transactionOp();
        List<CuratorOp> operations = new ArrayList<>();
        for (Subscription client : wanted) {
            if (!known.contains(client) || unknown.contains(client.clientId())) {
                put(client, transaction, operations);
            }
        }
        Set<Integer> gone = new TreeSet<>(unknown);
        known.forEach(client -> gone.add(client.clientId()));
        wanted.forEach(client -> gone.remove(client.clientId()));
        for (int id : gone) {
            delete(CanalNodes.client(destination, id), transaction, operations);
        }
        String order = FilterOrder.text(wanted);
        if (!order.equals(FilterOrder.text(known)) || !unknown.isEmpty()) {
            String path = CanalNodes.filterOrder(destination);
            MissingNodes.makeParents(zooKeeper, path);
            set(path, order, transaction, operations);
        }
        return operations;
    }

    /**
     * The operations that make {@code wanted} the clients, whatever the nodes have: they may be no cursors.
     *
     * @param untouched the ids of clients that stay as they are
     */
    List<CuratorOp> replacement(List<Subscription> wanted, Set<Integer> untouched) throws Exception {
        TransactionOp transaction = zooKeeper.transactionOp();
        List<CuratorOp> operations = new ArrayList<>();
        for (Subscription client : wanted) {
            put(client, transaction, operations);
        }
        for (int id : ids()) {
            if (!untouched.contains(id) && wanted.stream().noneMatch(kept -> kept.clientId() == id)) {
                delete(CanalNodes.client(destination, id), transaction, operations);
            }
        }
        String path = CanalNodes.filterOrder(destination);
        MissingNodes.makeParents(zooKeeper, path);
        List<Subscription> ordered = new ArrayList<>(wanted);
        readEach().damaged().stream()
                .filter(client -> untouched.contains(client.clientId()))
                .forEach(ordered::add);
        set(path, FilterOrder.text(ordered), transaction, operations);
        return operations;
    }

    /** What the nodes have, as a JSON object by their paths below that of the destination, for an operator; also if that is no cursor. */
    String raw() throws Exception {
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        for (int id : ids()) {
            all.put(id + "/filter", text(CanalNodes.filter(destination, id)));
            all.put(id + "/cursor", text(CanalNodes.cursor(destination, id)));
        }
        return all.put("filters", text(CanalNodes.filterOrder(destination))).toString();
    }

    private void put(Subscription client, TransactionOp transaction, List<CuratorOp> operations) throws Exception {
        String path = CanalNodes.client(destination, client.clientId());
        if (!exists(path)) {
            operations.add(transaction.create().forPath(path, new byte[0]));
        }
        String filterPath = CanalNodes.filter(destination, client.clientId());
        if (!client.filter().isBlank()) {
            set(filterPath, client.filter(), transaction, operations);
        } else if (exists(filterPath)) {
            operations.add(transaction.delete().forPath(filterPath));
        }
        Cursor cursor = client.cursor();
        if (cursor != null) {
            ObjectNode json = CursorJson.toTypedNode(cursor);
            if (client.unsubscribed()) {
                json.put(UNSUBSCRIBED, true);
            }
            set(CanalNodes.cursor(destination, client.clientId()), json.toString(), transaction, operations);
        } else if (exists(CanalNodes.cursor(destination, client.clientId()))) {
            operations.add(transaction.delete().forPath(CanalNodes.cursor(destination, client.clientId())));
        }
    }

    private void set(String path, String text, TransactionOp transaction, List<CuratorOp> operations) throws Exception {
        byte[] data = text.getBytes(StandardCharsets.UTF_8);
        operations.add(
                exists(path)
                        ? transaction.setData().forPath(path, data)
                        : transaction.create().forPath(path, data));
    }

    private void delete(String path, TransactionOp transaction, List<CuratorOp> operations) throws Exception {
        for (String child : childrenOf(path)) {
            delete(path + "/" + child, transaction, operations);
        }
        if (exists(path)) {
            operations.add(transaction.delete().forPath(path));
        }
    }

    private boolean exists(String path) throws Exception {
        return zooKeeper.checkExists().forPath(path) != null;
    }
}
