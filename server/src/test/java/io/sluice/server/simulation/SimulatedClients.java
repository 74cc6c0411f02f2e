package io.sluice.server.simulation;

import io.sluice.connector.api.convert.Converters;
import io.sluice.connector.api.convert.OutgoingMessage;
import io.sluice.connector.api.convert.PacketStyle;
import io.sluice.connector.api.route.FixedRouter;
import io.sluice.format.entry.Entry;
import io.sluice.schema.filter.TableFilter;
import io.sluice.server.pull.BatchNumbers;
import io.sluice.server.pull.BatchWait;
import io.sluice.server.pull.ClientFilters;
import io.sluice.server.pull.PullAnswer;
import io.sluice.server.pull.PullClients;
import io.sluice.server.pull.PullException;
import io.sluice.server.pull.PullRequest;
import io.sluice.server.pull.PulledBatch;
import io.sluice.store.cursor.CursorException;
import io.sluice.store.cursor.CursorStore;
import io.sluice.store.cursor.Subscription;
import io.sluice.store.ring.BatchLimit;
import io.sluice.store.ring.EntryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * Two clients that pull from one process: they subscribe, get, keep a batch for a while, and ack it, roll it back or unsubscribe. Each of
 * these steps is an event in simulated time.
 */
final class SimulatedClients {
    /** Takes an unreasonable time for most names. */
    static final String EXPENSIVE_FILTER = ".*".repeat(24) + "x";

    private static final int[] CLIENTS = {Subscription.QUEUE_CLIENT, 1002};
    private static final long SECOND = 1_000_000_000L;
    private static final int MAX_CLIENTS = 10;

    private final SimulatedProcess process;
    private final SimulatedClock time;
    private final RandomGenerator random;
    private final CursorStore cursors;
    private final DeliveredRows delivered;
    private final Mistake mistake;
    private final BooleanSupplier calm;
    private final PullClients clients;
    private boolean isClosed;

    SimulatedClients(
            SimulatedProcess process,
            SimulatedClock time,
            RandomGenerator random,
            EntryStore store,
            TableFilter tables,
            DeliveredRows delivered,
            Mistake mistake,
            BooleanSupplier calm) {
        this.process = process;
        this.time = time;
        this.random = random;
        this.cursors = process.cursors();
        this.delivered = delivered;
        this.mistake = mistake;
        this.calm = calm;
        ClientFilters filters = new ClientFilters("shop", tables, cursors);
        this.clients = new PullClients(
                "shop",
                store,
                cursors,
                process::convert,
                new SimulatedScheduler(time, process::isDead),
                filters,
                new BatchNumbers(),
                MAX_CLIENTS,
                () -> true);
        filters.restore();
        clients.start();
        for (int client : CLIENTS) {
            soon(() -> subscribe(client));
        }
    }

    private void soon(Runnable action) {
        after(random.nextLong(SECOND / 5), action);
    }

    private void after(long nanos, Runnable action) {
        time.schedule(nanos, () -> {
            if (!isClosed && !process.isDead()) {
                action.run();
            }
        });
    }

    private void subscribe(int client) {
        String filter = random.nextInt(8) == 0 ? EXPENSIVE_FILTER : random.nextBoolean() ? "" : "shop\\..*";
        try {
            clients.subscribe(client, "");
            if (mistake == Mistake.KEEPS_AN_EXPENSIVE_FILTER) {
                cursors.subscribe(client, filter);
            } else {
                clients.subscribe(client, filter);
            }
        } catch (PullException e) {
            soon(() -> subscribe(client));
            return;
        }
        soon(() -> get(client));
    }

    private void get(int client) {
        PullRequest request = new PullRequest(
                client,
                BatchLimit.entries(1 + random.nextInt(12)),
                BatchWait.forFull(Duration.ofMillis(1 + random.nextInt(800))));
        try {
            Runnable unused = clients.get(request, new PullAnswer() {
                @Override
                public boolean isWanted() {
                    return !isClosed && !process.isDead();
                }

                @Override
                public void batch(PulledBatch batch) {
                    clients.sent(batch);
                    if (batch.isEmpty()) {
                        soon(() -> get(client));
                    } else {
                        received(client, batch);
                    }
                }

                @Override
                public void failed(PullException why) {}
            });
        } catch (PullException e) {
            soon(() -> subscribe(client));
        }
    }

    private void received(int client, PulledBatch batch) {
        List<Integer> images = new ArrayList<>();
        for (OutgoingMessage record : Converters.OF_BINLOG
                .packets(new FixedRouter("shop", 0), PacketStyle.PARSED, 1 << 20)
                .convert(batch.id(), batch.entries())) {
            images.addAll(DeliveredRows.imagesOf(record.message()));
        }
        long kept = !calm.getAsBoolean() && random.nextInt(8) == 0 ? 5 * SECOND : SECOND / 10;
        after(random.nextLong(kept), () -> {
            if (!calm.getAsBoolean() && random.nextInt(10) == 0) {
                giveBack(client);
            } else {
                ack(client, batch, images);
            }
        });
    }

    private void ack(int client, PulledBatch batch, List<Integer> images) {
        try {
            delivered.confirmed(images);
            clients.ack(client, batch.id());
            if (mistake == Mistake.LEAVES_OUT_CLIENTS_WITHOUT_A_CURSOR) {
                batch.entries().stream()
                        .filter(Entry::isBoundary)
                        .reduce((one, other) -> other)
                        .ifPresent(last -> cursors.save(client, last.cursor()));
            }
        } catch (PullException e) {
            // the process ends
        }
        soon(() -> get(client));
    }

    private void giveBack(int client) {
        try {
            if (random.nextInt(3) == 0) {
                clients.unsubscribe(client);
            } else {
                clients.rollback(client);
            }
        } catch (PullException | CursorException e) {
            // the process ends
        }
        soon(() -> subscribe(client));
    }

    void close() {
        isClosed = true;
        clients.close();
    }
}
