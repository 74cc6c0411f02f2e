package io.sluice.server.config.key;

import static io.sluice.server.config.text.ValueType.SECRETS;
import static io.sluice.server.config.text.ValueType.TEXT;
import static io.sluice.server.config.text.ValueType.choices;
import static io.sluice.server.config.text.ValueType.integer;
import static io.sluice.server.config.text.ValueType.millis;
import static io.sluice.server.config.text.ValueType.seconds;

import io.sluice.server.config.alarm.WebhookFormat;
import io.sluice.server.config.text.Key;
import io.sluice.server.config.text.Secret;
import java.time.Duration;
import java.util.List;

/** The keys of alarms; canal has none of them, and all take effect when the configuration is read again. */
public final class AlarmKeys {
    public static final KeyGroup GROUP = new KeyGroup("Alarms");

    public static final Key<List<Secret>> URLS = GROUP.add(
            Key.server("canal.alarm.webhook.url", SECRETS, "")
                    .ours()
                    .reloaded()
                    .described(
                            "The URLs that [alarms](alarms.md) are posted to, eight at most; none: no alarm is sent. A URL is a"
                                    + " secret: it is never shown, and belongs into a file or a variable, `${file:…}` or `${env:…}`."));
    public static final Key<List<WebhookFormat>> FORMATS = GROUP.add(
            Key.server("canal.alarm.webhook.format", choices(WebhookFormat.class, WebhookFormat::spelling), "json")
                    .ours()
                    .reloaded()
                    .described(
                            "What they expect: `json`, `dingtalk`, `feishu` or `slack`. One for all URLs, or one for each."));
    public static final Key<List<Secret>> SECRETS_OF_ROBOTS =
            GROUP.add(Key.server("canal.alarm.webhook.secret", SECRETS, "")
                    .ours()
                    .reloaded()
                    .described(
                            "The secret that requests to DingTalk or Feishu are signed with, if the robot is set to that. One for all, or"
                                    + " one for each URL, of which some may be empty: `,SEC1`."));
    public static final Key<String> SERVER_NAME = GROUP.add(Key.server("canal.alarm.webhook.server", TEXT, "")
            .ours()
            .reloaded()
            .defaulting("the name of the machine")
            .described("What alarms call this server."));
    public static final Key<Duration> TIMEOUT =
            GROUP.add(Key.server("canal.alarm.webhook.timeout", millis(100, 60_000), "5000")
                    .ours()
                    .reloaded()
                    .described("How long a request may take, until its answer was read."));
    public static final Key<Duration> LOST_AFTER =
            GROUP.add(Key.server("canal.alarm.webhook.lost.after", seconds(1, 86_400), "60")
                    .ours()
                    .reloaded()
                    .described("How long a source or a broker may be unreachable before an alarm is raised."));
    public static final Key<Duration> INTERVAL = GROUP.add(
            Key.server("canal.alarm.webhook.interval", seconds(0, 86_400), "300")
                    .ours()
                    .reloaded()
                    .described(
                            "The least time between two alarms that are raised for the same kind of problem of the same instance. One that"
                                    + " comes earlier is raised when the time has passed, if the problem is still there."));
    public static final Key<Duration> GATHER = GROUP.add(Key.server(
                    "canal.alarm.webhook.gather", millis(0, 60_000), "3000")
            .ours()
            .reloaded()
            .described("For how long alarms are gathered, from the first one on, to be posted in one message."));
    public static final Key<Duration> REPEAT_INTERVAL =
            GROUP.add(Key.server("canal.alarm.webhook.repeat.interval", seconds(10, 604_800), "3600")
                    .ours()
                    .reloaded()
                    .described("After how long a problem that lasts is posted again."));
    public static final Key<Integer> REPEATS =
            GROUP.add(Key.server("canal.alarm.webhook.repeats", integer(0, 1000), "3")
                    .ours()
                    .reloaded()
                    .described("How often it is posted again; 0: never."));

    private AlarmKeys() {}
}
