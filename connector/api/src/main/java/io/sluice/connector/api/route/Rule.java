package io.sluice.connector.api.route;

/** A rule of one of the keys for routing. */
sealed interface Rule permits TopicRule, KeyRule, CountRule {
    /** The names that it is for. */
    NameMatch match();

    /** The text of those. */
    RuleSpan names();
}
