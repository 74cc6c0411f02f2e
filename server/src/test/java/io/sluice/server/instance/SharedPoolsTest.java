package io.sluice.server.instance;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.time.Time;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.load.ConfigLoader;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.text.Environment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SharedPoolsTest {
    @TempDir
    Path home;

    private Configuration configuration(int encoders) throws Exception {
        Path file = home.resolve("canal.properties");
        Files.writeString(file, """
                canal.serverMode = tcp
                canal.ip = 127.0.0.1
                canal.destinations = shop
                canal.instance.master.address = db:3306
                canal.instance.parser.parallelThreadSize = %d
                """.formatted(encoders));
        return ConfigLoader.load(file, home, Environment.ofThisProcess(), ProducerCheck.NONE);
    }

    @Test
    void encodersAreAsManyAsAReloadedConfigurationWants() throws Exception {
        try (SharedPools pools = new SharedPools(configuration(1), Time.SYSTEM)) {
            assertThat(together(pools, 1)).isTrue();

            pools.setInstances(configuration(3).instances());
            assertThat(together(pools, 3)).isTrue();

            pools.setInstances(configuration(2).instances());
            assertThat(together(pools, 2)).isTrue();
            assertThat(pools.instances()).isEqualTo(1);
        }
    }

    /** As of an instance whose directory is on a network file system. */
    @Test
    void aCursorThatCannotBeWrittenForNowHoldsUpNoOther() throws Exception {
        Configuration configuration = configuration(1);
        CountDownLatch repaired = new CountDownLatch(1);
        CountDownLatch others = new CountDownLatch(2);
        try (SharedPools pools = new SharedPools(configuration, Time.SYSTEM)) {
            pools.setInstances(Collections.nCopies(3, configuration.instances().get(0)));
            var unused = pools.flushes()
                    .scheduleWithFixedDelay(() -> awaitUninterrupted(repaired), 1, 1, TimeUnit.MILLISECONDS);
            for (int i = 0; i < 2; i++) {
                unused = pools.flushes().scheduleWithFixedDelay(others::countDown, 10, 1, TimeUnit.MILLISECONDS);
            }

            others.await();
            repaired.countDown();
        }
    }

    @Test
    void threadsThatWriteCursorsAreNoMoreThanInstances() throws Exception {
        try (SharedPools pools = new SharedPools(configuration(1), Time.SYSTEM)) {
            assertThat(pools.flushes()).extracting("corePoolSize").isEqualTo(1);

            pools.setInstances(
                    Collections.nCopies(200, configuration(1).instances().get(0)));
            assertThat(pools.flushes()).extracting("corePoolSize").isEqualTo(8);
        }
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns when so many tasks have been at work at the same time. */
    private static boolean together(SharedPools pools, int tasks) throws InterruptedException {
        CyclicBarrier barrier = new CyclicBarrier(tasks);
        CountDownLatch met = new CountDownLatch(tasks);
        for (int i = 0; i < tasks; i++) {
            pools.encoders().workers().execute(() -> {
                try {
                    barrier.await();
                    met.countDown();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
        }
        met.await();
        return met.getCount() == 0;
    }
}
