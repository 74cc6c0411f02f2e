package io.sluice.server.config.instance;

import java.util.Locale;

/** What happens to an instance that has failed, where it does not run in a cluster: there it is always tried again, perhaps elsewhere. */
public enum RestartPolicy {
    /** The instance stays failed until an operator starts it. */
    NEVER,
    /** The instance is started again after a back-off, which doubles with each failure in a row. */
    BACKOFF;

    /** As configurations spell it. */
    public String spelling() {
        return name().toLowerCase(Locale.ROOT);
    }
}
