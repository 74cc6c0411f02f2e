package io.sluice.server.config.alarm;

import io.sluice.server.config.text.Secret;

/**
 * A URL that alarms are posted to.
 *
 * @param format what it expects
 * @param url {@code http} or {@code https}, with a host; secret, since it authorizes posting
 * @param signingSecret what requests are signed with; blank if they are not
 */
public record Webhook(WebhookFormat format, Secret url, Secret signingSecret) {}
