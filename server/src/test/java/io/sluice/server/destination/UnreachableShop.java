package io.sluice.server.destination;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.protocol.time.Time;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.load.ConfigLoader;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.server.MqConfig;
import io.sluice.server.config.text.ConfigException;
import io.sluice.server.config.text.Environment;
import io.sluice.server.ha.Candidacies;
import io.sluice.server.ha.OwnershipTerm;
import io.sluice.server.instance.DestinationState;
import io.sluice.server.instance.FailureListener;
import io.sluice.server.instance.Instance;
import io.sluice.server.instance.InstanceWiring;
import io.sluice.server.instance.SharedPools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** The destination shop of a server that clients pull from, whose source cannot be reached: its configuration, and runners of it. */
final class UnreachableShop implements AutoCloseable {
    /** What is done before an instance is made. */
    Runnable beforeMaking = () -> {};

    /** Is told of instances that cannot be made. */
    FailureListener onFailure = (name, cause) -> {};

    /** Sends what instances read; null if clients pull. */
    @Nullable MessageProducer producer;

    private final Path home;
    private final MqConfig mq;
    private final SharedPools pools;

    /** @param home an empty directory for the configuration and the cursors */
    UnreachableShop(Path home) throws IOException, ConfigException {
        this.home = home;
        Configuration configuration = configuration("cursors", "");
        this.mq = configuration.server().mq();
        this.pools = new SharedPools(configuration, Time.SYSTEM);
    }

    @Override
    public void close() {
        pools.close();
    }

    SharedPools pools() {
        return pools;
    }

    /** Starts a runner whose instance cannot be made this time. */
    void startInVain(DestinationRunner runner) {
        beforeMaking = () -> {
            throw new IllegalStateException("no broker");
        };
        assertThatThrownBy(runner::start).hasMessage("no broker");
        beforeMaking = () -> {};
    }

    /** Its configuration, with cursors in a directory. */
    InstanceConfig config(String cursors) throws IOException, ConfigException {
        return config(cursors, "canal.instance.restart = backoff");
    }

    /** Its configuration, with cursors in a directory, and the given line in place of the one on restarts. */
    InstanceConfig config(String cursors, String line) throws IOException, ConfigException {
        return configuration(cursors, line).instances().get(0);
    }

    private Configuration configuration(String cursors, String line) throws IOException, ConfigException {
        Path instance = home.resolve("conf/shop/instance.properties");
        Files.createDirectories(instance.getParent());
        Files.writeString(instance, """
                canal.instance.master.address = 127.0.0.1:9
                canal.instance.tsdb.enable = false
                %s
                """.formatted(line));
        Path server = Files.writeString(home.resolve("conf/canal.properties"), """
                canal.serverMode = tcp
                canal.ip = 127.0.0.1
                canal.destinations = shop
                canal.file.data.dir = %s
                """.formatted(home.resolve(cursors)));
        return ConfigLoader.load(
                server, Files.createDirectories(home.resolve("bin")), Environment.ofThisProcess(), ProducerCheck.NONE);
    }

    /** A runner as each process makes it. */
    DestinationRunner runner(InstanceConfig config) {
        return runner(config, null);
    }

    /** A runner as each process makes it; of a destination that is shared with other servers if a cluster is given. */
    DestinationRunner runner(InstanceConfig config, @Nullable Candidacies cluster) {
        DestinationState state = DestinationState.of("shop", 0, pools.timer(), Time.SYSTEM);
        PaceHome pace = new PaceHome(state.pace(), Runnable::run);
        pace.begin(config);
        state.cursors().begin(config.cursor());
        return new DestinationRunner(
                new InstanceSlot(config, (made, term) -> instance(made, term, state, pace)),
                state.pace(),
                pace,
                state.cursors(),
                cluster,
                (name, cause) -> onFailure.failed(name, cause),
                new SplittableRandom(1));
    }

    private Instance instance(InstanceConfig config, OwnershipTerm term, DestinationState state, PaceHome pace) {
        beforeMaking.run();
        pace.keep(config, term);
        if (producer != null) {
            return new InstanceWiring(pools).sending(config, mq, term, state, producer, (name, cause) -> {});
        }
        return new InstanceWiring(pools).pulled(config, 1, term, state, (name, cause) -> {});
    }

    /** Starts a runner of it whose cursor cannot be written; returns what is in the way of the file. */
    Path startOnAFullDisk(DestinationRunner runner) throws IOException {
        runner.start();
        Path inTheWay = home.resolve("cursors/shop/meta.dat.tmp/in its place");
        Files.createDirectories(inTheWay);
        assertThatThrownBy(() -> runner.instance()
                        .orElseThrow()
                        .pullClients()
                        .orElseThrow()
                        .subscribe(1001, ""))
                .hasMessageContaining("cannot be written");
        return inTheWay;
    }

    /** Is a change that takes until its end is allowed. */
    static void waitFor(CountDownLatch end, CountDownLatch begun) {
        begun.countDown();
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
