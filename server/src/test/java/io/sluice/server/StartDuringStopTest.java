package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.sluice.connector.api.producer.Connector;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageProducerFactory;
import io.sluice.connector.api.producer.UnbufferedProducer;
import io.sluice.server.control.CommandRejectedException;
import io.sluice.server.control.InstanceSnapshot;
import io.sluice.server.control.Operations;
import io.sluice.server.instance.Instance;
import io.sluice.server.instance.InstanceState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A stop takes as long as the broker does, and its caller may have given it up when the next command comes. */
@Timeout(120)
class StartDuringStopTest {
    @TempDir
    private Path home;

    private final CountDownLatch isStopping = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);

    @Test
    void anInstanceThatIsStartedWhileItIsBeingStoppedRunsThen() throws Exception {
        ServerFiles files = new ServerFiles(home);
        files.writeShop(home.resolve("cursors"));
        SluiceServer server = files.start(slowlyClosed());
        try {
            Operations operations = server.operations();
            FutureTask<Boolean> stop = new FutureTask<>(() -> operations.stop("shop"));
            new Thread(stop, "stop").start();
            isStopping.await();
            assertThat(operations.snapshot("shop").instance().map(Instance::state))
                    .contains(InstanceState.STOPPING);
            FutureTask<Boolean> start = new FutureTask<>(() -> operations.start("shop"));
            Thread starting = new Thread(start, "start");
            starting.start();
            await().until(() -> start.isDone() || starting.getState() == Thread.State.TIMED_WAITING);
            mayEnd.countDown();

            assertThat(start.get()).as("whether it was started").isTrue();

            Throwable unused = catchThrowable(stop::get); // its producer may have taken too long
            InstanceSnapshot now = operations.snapshot("shop");
            assertThat(now.stopped()).isFalse();
            assertThat(now.instance()).isPresent();
        } finally {
            mayEnd.countDown();
            server.stop(Duration.ZERO);
        }
    }

    /** As of a connector that is defective, or of a client that waits for its broker without a limit. */
    @Test
    void aStopEndsWithAnErrorIfTheProducerDoesNotClose() throws Exception {
        ServerFiles files = new ServerFiles(home);
        files.writeShop(home.resolve("cursors"));
        SluiceServer server = files.start(slowlyClosed());
        try {
            Operations operations = server.operations();

            assertThatThrownBy(() -> operations.stop("shop"))
                    .isInstanceOf(CommandRejectedException.class)
                    .hasMessageContaining("shop was stopped, but did not end in good order")
                    .hasMessageContaining("the producer of shop (" + SlowlyClosed.class.getName()
                            + ") has not closed within 11 seconds");

            assertThat(operations.snapshot("shop").instance()).isEmpty();
            assertThat(operations.start("shop")).isTrue();
            assertThat(operations.snapshot("shop").instance()).isPresent();
        } finally {
            mayEnd.countDown();
            server.stop(Duration.ZERO);
        }
    }

    private Connector slowlyClosed() {
        return new Connector() {
            @Override
            public String name() {
                return "kafka";
            }

            @Override
            public MessageProducerFactory configure(Map<String, String> properties) {
                return context -> new SlowlyClosed();
            }
        };
    }

    private final class SlowlyClosed extends UnbufferedProducer {
        @Override
        public void send(Message message, DeliveryCallback callback) {
            callback.delivered();
        }

        @Override
        public void close(Duration longest) {
            isStopping.countDown();
            try {
                mayEnd.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
