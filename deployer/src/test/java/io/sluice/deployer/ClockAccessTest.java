package io.sluice.deployer;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Calendar;
import java.util.Date;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The rule itself: each class here breaks it in all ways, or in none. */
class ClockAccessTest {
    @SuppressWarnings({"JavaTimeDefaultTimeZone", "JavaUtilDate", "ThreadSleepMillis", "unused"})
    private static final class Offender {
        void reads() throws InterruptedException {
            LongSupplier reference = System::nanoTime;
            LongSupplier lambda = () -> System.currentTimeMillis();
            Object instant = Instant.now();
            Object zoned = ZonedDateTime.now(ZoneOffset.UTC);
            Object clock = Clock.systemUTC();
            Object date = new Date();
            Object calendar = Calendar.getInstance();
            Thread.sleep(1);
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    @SuppressWarnings({"JavaUtilDate", "unused"})
    private static final class Conformer {
        void reads(Clock clock) throws InterruptedException {
            Object date = new Date(5);
            Object today = LocalDate.now(clock);
            long nanos = TimeUnit.SECONDS.toNanos(1);
            Object length = Duration.ofNanos(nanos);
            LockSupport.parkNanos(1); // a timed wait of the JDK: whether it was long enough is asked of a Time
            String property = System.lineSeparator();
        }
    }

    @Test
    void findsEachWayToReadAClockOrToSleep() {
        assertThat(found(Offender.class))
                .contains(
                        "System.nanoTime System.currentTimeMillis Instant.now ZonedDateTime.now Clock.systemUTC Date.<init>"
                                .split(" "))
                .contains("Calendar.getInstance", "Thread.sleep", "TimeUnit.sleep")
                .hasSize(9);
    }

    @Test
    void allowsTimesThatAreGivenAndTimedWaits() {
        assertThat(found(Conformer.class)).isEmpty();
    }

    private static Iterable<String> found(Class<?> type) {
        JavaClass read = new ClassFileImporter().importClass(type);
        return read.getAccessesFromSelf().stream()
                .filter(new ClockAccess())
                .map(access -> access.getTargetOwner().getSimpleName() + "."
                        + access.getTarget().getName())
                .collect(Collectors.toSet());
    }
}
