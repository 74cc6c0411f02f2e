package io.sluice.server.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.time.HandTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportingGuardTest {
    private final HandTime time = new HandTime();
    private final List<String> lines = new ArrayList<>();
    private final ReportingGuard guard = new ReportingGuard(
            time, (part, failure) -> lines.add(part + " " + failure.getClass().getSimpleName()));

    @Test
    void aPartThatFailsDoesNotHideTheOthers() {
        List<String> done = new ArrayList<>();

        for (String part : List.of("shop", "till", "web")) {
            guard.run(part, () -> {
                if (part.equals("till")) {
                    throw new StackOverflowError();
                }
                done.add(part);
            });
        }

        assertThat(done).containsExactly("shop", "web");
        assertThat(guard.get("shop", () -> "known", "unknown")).isEqualTo("known");
        assertThat(guard.get("till", () -> fail(new IllegalStateException("no state")), "unknown"))
                .isEqualTo("unknown");
    }

    /** The task runs each second, and a stack trace may have a thousand lines. */
    @Test
    void aFailureIsLoggedOnceAnHourForEachPartAndKind() {
        for (int i = 0; i < 3000; i++) {
            guard.get("shop", () -> fail(new StackOverflowError()), "");
            guard.get("till", () -> fail(new StackOverflowError()), "");
            guard.get("till", () -> fail(new IllegalStateException("no state")), "");
        }
        assertThat(lines)
                .containsExactly("shop StackOverflowError", "till StackOverflowError", "till IllegalStateException");

        time.pass(ReportingGuard.QUIET);
        guard.get("shop", () -> fail(new StackOverflowError()), "");

        assertThat(lines).hasSize(4);
    }

    /** As when instances that were removed have failed in their time. */
    @Test
    void manyFailuresOfThePastDoNotHideANewOne() {
        for (int i = 0; i < 2000; i++) {
            guard.get("shop" + i, () -> fail(new StackOverflowError()), "");
        }
        int before = lines.size();
        time.pass(ReportingGuard.QUIET);

        guard.get("till", () -> fail(new StackOverflowError()), "");

        assertThat(lines).hasSize(before + 1).endsWith("till StackOverflowError");
    }

    private static String fail(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) failure;
    }
}
