package io.sluice.connector.api.route;

/** What becomes of rows that are spread over the broker's number of partitions, if their topic does not exist or may not be written to. */
public enum UnavailableTopics {
    /** They are not routed before the topic has a number: they are to be sent to it when it is available. */
    AWAITED,
    /**
     * They are routed as the rules state without the broker, and their topics are {@linkplain Router#unavailable reported}: the messages are not
     * to be sent, since the topic may be created meanwhile, with another number.
     */
    REJECTED
}
