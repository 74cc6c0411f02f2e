package io.sluice.deployer.e2e;

import static org.awaitility.Awaitility.await;

import io.sluice.client.ChangeBatch;
import io.sluice.client.ClientOptions;
import io.sluice.client.PullClient;
import io.sluice.client.zookeeper.ZooKeeperFinder;
import io.sluice.protocol.entry.Entry;
import io.sluice.testkit.canal.CanalClient;
import io.sluice.testkit.canal.ClientRefusedException;
import io.sluice.testkit.canal.PulledEntries;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A client that follows its destination by ZooKeeper. For one thread. */
interface Puller extends AutoCloseable {
    /** A batch that is to be acked next; without entries if there was nothing. */
    record Pulled(long id, List<Entry> entries) {}

    Pulled get() throws IOException;

    void ack() throws IOException;

    @Override
    void close() throws IOException;

    /** Whose client it is. */
    enum Kind {
        CANAL {
            @Override
            Puller open(String zooKeeper, String destination) {
                return new CanalPuller(zooKeeper, destination);
            }
        },
        OURS {
            @Override
            Puller open(String zooKeeper, String destination) throws IOException {
                return new OurPuller(zooKeeper, destination);
            }
        };

        abstract Puller open(String zooKeeper, String destination) throws IOException;
    }

    /** canal's own, which must be connected again by its user when it has lost its server. */
    final class CanalPuller implements Puller {
        private static final Logger LOG = LoggerFactory.getLogger(CanalPuller.class);

        private final CanalClient client;
        private long last;

        CanalPuller(String zooKeeper, String destination) {
            client = CanalClient.java(CanalClient.Target.zooKeeper(zooKeeper, destination));
            reconnect();
        }

        private void reconnect() {
            await().atMost(PulledTakeOverIT.PATIENCE).ignoreExceptions().until(() -> {
                client.connect();
                client.subscribe(".*\\..*");
                return true;
            });
        }

        @Override
        public Pulled get() {
            try {
                PulledEntries pulled = client.get(200, 100);
                last = pulled.batchId();
                return new Pulled(last, last < 1 ? List.of() : pulled.entries());
            } catch (ClientRefusedException e) {
                LOG.warn("the client was refused, connecting again: cause={}", e.getMessage());
                reconnect();
                return new Pulled(-1, List.of());
            }
        }

        @Override
        public void ack() {
            try {
                client.ack(last);
            } catch (ClientRefusedException e) {
                LOG.warn("an ack was refused, connecting again: cause={}", e.getMessage());
                reconnect();
            }
        }

        @Override
        public void close() {
            client.close();
        }
    }

    /** Ours, which does that by itself. */
    final class OurPuller implements Puller {
        /** Shorter than lines are cut in the test. */
        private static final Duration TIMEOUT = Duration.ofSeconds(2);

        private final PullClient client;
        private ChangeBatch last = new ChangeBatch(-1, List.of());

        OurPuller(String zooKeeper, String destination) throws IOException {
            client = PullClient.follow(
                    ClientOptions.of(destination).withTimeout(TIMEOUT),
                    ZooKeeperFinder.of(zooKeeper, destination),
                    PulledTakeOverIT.PATIENCE);
            client.subscribe(".*\\..*");
        }

        @Override
        public Pulled get() throws IOException {
            last = client.getWithoutAck(200, Duration.ofMillis(100));
            return new Pulled(last.id(), last.entries());
        }

        @Override
        public void ack() throws IOException {
            client.ack(last);
        }

        @Override
        public void close() throws IOException {
            client.close();
        }
    }
}
