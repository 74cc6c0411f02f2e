package io.sluice.connector.api.probe;

import java.util.Locale;

/** What was found out about one thing that an instance needs. */
public enum Verdict {
    /** It is as it has to be. */
    OK,
    /** The instance works, but not as well or as safely as it could, or not for much longer. */
    WARNING,
    /** The instance would not start, would stop, or would lose or not deliver changes. */
    FAILED,
    /** It could not be found out. */
    UNKNOWN;

    /** As text and JSON spell it: lower case. */
    public String spelling() {
        return name().toLowerCase(Locale.ROOT);
    }
}
