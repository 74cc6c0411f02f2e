package io.sluice.server.config.alarm;

import java.util.Locale;

/** What a web hook expects: the body of a request, how it is signed, and what its answers mean. */
public enum WebhookFormat {
    /** Sluice's own JSON, for programs. */
    JSON,
    /** A robot of DingTalk. */
    DINGTALK,
    /** A robot of Feishu, or of Lark. */
    FEISHU,
    /** An incoming web hook of Slack, or of a service that takes the same. */
    SLACK;

    /** As the configuration spells it. */
    public String spelling() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether requests can be signed by a secret. */
    public boolean canBeSigned() {
        return this == DINGTALK || this == FEISHU;
    }
}
