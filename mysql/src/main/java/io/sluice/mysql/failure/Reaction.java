package io.sluice.mysql.failure;

/** The reaction to a failure of a source. */
public enum Reaction {
    /** Try again after a back-off; after several failures in a row go to the next host, if there is one. */
    RETRY,
    /** Try again after a back-off; another host would not go better. */
    RETRY_SAME_HOST,
    /** Try again after a back-off; another host would not go better. Stop after several failures in a row on every host. */
    RETRY_THEN_STOP,
    /** Go to the next host at once; stop if every host has failed, or there is no other. */
    NEXT_HOST_OR_STOP,
    /** Stop the instance: no other attempt would go better. */
    STOP
}
