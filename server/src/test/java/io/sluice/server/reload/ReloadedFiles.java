package io.sluice.server.reload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.protocol.time.Time;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.load.ConfigLoader;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.reload.ReadConfiguration;
import io.sluice.server.config.server.ServerConfig;
import io.sluice.server.config.text.Environment;
import io.sluice.server.control.CommandRejectedException;
import io.sluice.server.control.Outcome;
import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.time.HandTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The files of two instances, and what a target is told of their reloads, for the tests that extend it. */
abstract class ReloadedFiles {
    @TempDir
    Path home;

    final List<String> calls = Collections.synchronizedList(new ArrayList<>());
    final Map<String, Runnable> whileChanged = new ConcurrentHashMap<>();
    final List<String> running = new CopyOnWriteArrayList<>(List.of("a", "b"));
    final Map<String, String> problems = Collections.synchronizedMap(new HashMap<>());
    final Map<String, RuntimeException> failures = new HashMap<>();
    final Set<String> failed = new HashSet<>();
    final Map<String, InstanceConfig> changedTo = new ConcurrentHashMap<>();
    final HandTime time = new HandTime();

    /** How many more looks at the clock it takes until the limit of a command has passed; 0 if it does not by itself. */
    final AtomicInteger hurry = new AtomicInteger();

    final Time hurriedTime = new HurriedTime();
    volatile Runnable whileRead = () -> {};
    Reloads reloads;

    @Nullable String serverProblem;

    List<String> restartKeys = List.of();

    @Nullable ServerConfig server;

    String sourceProblem = "";
    Configuration configuration;
    Map<String, String> invalid = Map.of();
    Map<String, String> pending = Map.of();

    @AutoClose
    final LogLines log = LogLines.of(ReloadLog.class);

    @BeforeEach
    void start() throws Exception {
        Files.createDirectories(home.resolve("bin"));
        writeServer("");
        writeInstance("a", "");
        writeInstance("b", "");
        load();
    }

    void load() throws Exception {
        configuration = ConfigLoader.load(
                home.resolve("conf/canal.properties"),
                home.resolve("bin"),
                Environment.ofThisProcess(),
                ProducerCheck.NONE);
        reloads = new Reloads(this::read, configuration, new Noted(), hurriedTime);
        reloads.look();
    }

    final class HurriedTime implements Time {
        @Override
        public long nanos() {
            if (hurry.getAndUpdate(left -> Math.max(0, left - 1)) == 1) {
                time.passSeconds(30);
            }
            return time.nanos();
        }

        @Override
        public long millis() {
            return time.millis();
        }

        @Override
        public void sleep(Duration length) {
            time.sleep(length);
        }
    }

    ReadConfiguration read() {
        whileRead.run();
        return ConfigLoader.read(
                        home.resolve("conf/canal.properties"),
                        home.resolve("bin"),
                        Environment.ofThisProcess(),
                        ProducerCheck.NONE)
                .with(sourceProblem);
    }

    final class Noted implements ReloadTarget {
        @Override
        public void setServerProblem(@Nullable String problem) {
            serverProblem = problem;
        }

        @Override
        public void setRestartKeys(List<String> keys) {
            restartKeys = keys;
        }

        @Override
        public Optional<InstanceConfig> inForce(String destination) {
            return configuration.instances().stream()
                    .filter(config -> config.destination().equals(destination) && running.contains(destination))
                    .findFirst();
        }

        @Override
        public boolean hasFailed(String destination) {
            return failed.contains(destination);
        }

        @Override
        public void setInvalid(Map<String, String> problems) {
            invalid = Map.copyOf(problems);
        }

        @Override
        public void setPending(Map<String, String> reasons) {
            pending = Map.copyOf(reasons);
        }

        @Override
        public void setServer(ServerConfig config) {
            server = config;
        }

        @Override
        public List<String> destinations() {
            return List.copyOf(running);
        }

        @Override
        public @Nullable String add(InstanceConfig config) {
            calls.add("add " + config.destination());
            running.add(config.destination());
            RuntimeException failure = failures.get(config.destination());
            return failure == null ? null : failure.getMessage();
        }

        @Override
        public Outcome change(InstanceConfig config) {
            calls.add("change " + config.destination());
            whileChanged.getOrDefault(config.destination(), () -> {}).run();
            changedTo.put(config.destination(), config);
            RuntimeException failure = failures.get(config.destination());
            if (failure != null) {
                throw failure;
            }
            return new Outcome.Done(true);
        }

        @Override
        public void started() {
            calls.add("started");
        }

        @Override
        public void remove(String destination) {
            calls.add("remove " + destination);
            running.remove(destination);
            whileChanged.getOrDefault(destination, () -> {}).run();
        }

        @Override
        public void instancesRemoved() {
            calls.add("removed");
        }

        @Override
        public void setProblem(String destination, @Nullable String problem) {
            problems.put(destination, problem);
        }
    }

    void writeServer(String line) throws IOException {
        Files.createDirectories(home.resolve("conf"));
        Files.writeString(home.resolve("conf/canal.properties"), """
                canal.serverMode = kafka
                kafka.bootstrap.servers = 127.0.0.1:9
                canal.auto.scan = true
                canal.destinations =
                canal.instance.master.address = db:3306
                canal.mq.topic = any
                %s
                """.formatted(line));
    }

    void writeInstance(String name, String line) throws IOException {
        Files.createDirectories(home.resolve("conf").resolve(name));
        Files.writeString(home.resolve("conf").resolve(name).resolve("instance.properties"), """
                canal.mq.topic = %s
                canal.instance.filter.regex = shop\\\\.orders
                %s
                """.formatted(name, line));
    }

    /** What is under way in another thread, until it is released. */
    static final class Held implements AutoCloseable {
        private final CountDownLatch isHeld = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);
        private final ExecutorService thread = Executors.newSingleThreadExecutor();
        final Future<?> task;

        Held(Consumer<Runnable> task) throws InterruptedException {
            this.task = thread.submit(() -> task.accept(this::hold));
            isHeld.await();
        }

        private void hold() {
            isHeld.countDown();
            try {
                released.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        void release() throws Exception {
            released.countDown();
            task.get();
        }

        @Override
        public void close() throws Exception {
            release();
            thread.shutdownNow();
        }
    }

    Held changing(String destination) throws Exception {
        writeInstance(destination, "canal.instance.filter.black.regex = unused\\\\.t");
        return new Held(hold -> {
            whileChanged.put(destination, hold);
            reloads.reload(null);
        });
    }

    Held starting(String destination) throws Exception {
        return new Held(hold -> reloads.start(destination, "a start of " + destination, (config, wait) -> {
            hold.run();
            return true;
        }));
    }

    void assertRefused(ThrowingCallable command, String... why) {
        hurry.set(2);
        assertThatThrownBy(command)
                .isInstanceOf(CommandRejectedException.class)
                .satisfies(refused -> assertThat(refused).hasMessageContainingAll(why));
    }

    List<String> warningsOfLog() {
        return log.warnings();
    }
}
