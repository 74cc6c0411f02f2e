package io.sluice.testkit.junit;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Lets {@code await()} wait longer for a state than Awaitility's ten seconds, which a busy machine can take.
 *
 * <p>JUnit finds it by {@link java.util.ServiceLoader}. A test that passes takes no longer by it.
 */
public final class DefaultAwaitTimeout implements LauncherSessionListener {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Awaitility.setDefaultTimeout(TIMEOUT);
    }
}
