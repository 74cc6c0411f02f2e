package io.sluice.server.config.read;

import io.sluice.server.config.alarm.AlarmConfig;
import io.sluice.server.config.alarm.Webhook;
import io.sluice.server.config.alarm.WebhookFormat;
import io.sluice.server.config.key.AlarmKeys;
import io.sluice.server.config.text.LoopbackHost;
import io.sluice.server.config.text.Secret;
import io.sluice.server.config.text.Settings;
import io.sluice.server.config.text.Warning;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads where alarms are posted, and when. Nothing that it reports quotes a URL or a secret. */
final class AlarmReader {
    private static final int MAX_WEBHOOKS = 8;
    private static final Secret NONE = new Secret("");

    private final Settings settings;
    private final Set<Warning> warnings;

    /**
     * Makes a reader.
     *
     * @param warnings gets what the operator should know at each start
     */
    AlarmReader(Settings settings, Set<Warning> warnings) {
        this.settings = settings;
        this.warnings = warnings;
    }

    AlarmConfig read() {
        return new AlarmConfig(
                webhooks(),
                settings.get(AlarmKeys.SERVER_NAME),
                settings.get(AlarmKeys.TIMEOUT),
                settings.get(AlarmKeys.LOST_AFTER),
                settings.get(AlarmKeys.INTERVAL),
                settings.get(AlarmKeys.GATHER),
                settings.get(AlarmKeys.REPEAT_INTERVAL),
                settings.get(AlarmKeys.REPEATS));
    }

    private List<Webhook> webhooks() {
        List<Secret> urls = settings.find(AlarmKeys.URLS).orElse(List.of());
        List<WebhookFormat> formats = settings.get(AlarmKeys.FORMATS);
        List<Secret> secrets = settings.find(AlarmKeys.SECRETS_OF_ROBOTS).orElse(List.of(NONE));
        if (urls.isEmpty()) {
            if (!settings.isBlank(AlarmKeys.SECRETS_OF_ROBOTS)) {
                warnings.add(new Warning.General("%s has no effect without %s: no alarm is sent"
                        .formatted(AlarmKeys.SECRETS_OF_ROBOTS.name(), AlarmKeys.URLS.name())));
            }
            return List.of();
        }
        if (urls.size() > MAX_WEBHOOKS) {
            settings.reject(AlarmKeys.URLS, "must be %d URLs at most".formatted(MAX_WEBHOOKS));
            return List.of();
        }
        if (formats.size() != 1 && formats.size() != urls.size()) {
            settings.reject(AlarmKeys.FORMATS, "must be one format for all URLs, or one for each: " + count(urls));
            return List.of();
        }
        if (secrets.size() != 1 && secrets.size() != urls.size()) {
            settings.reject(
                    AlarmKeys.SECRETS_OF_ROBOTS, "must be one secret for all URLs, or one for each: " + count(urls));
            return List.of();
        }
        List<Webhook> webhooks = new ArrayList<>();
        boolean isSigned = false;
        for (int i = 0; i < urls.size(); i++) {
            checkUrl(urls.get(i).value(), i + 1);
            WebhookFormat format = formats.get(formats.size() == 1 ? 0 : i);
            Secret given = secrets.get(secrets.size() == 1 ? 0 : i);
            if (!given.value().isEmpty() && !format.canBeSigned() && secrets.size() > 1) {
                settings.reject(
                        AlarmKeys.SECRETS_OF_ROBOTS,
                        "has a secret for URL %d, but requests of the format %s are not signed"
                                .formatted(i + 1, format.spelling()));
            }
            isSigned |= format.canBeSigned();
            webhooks.add(new Webhook(format, urls.get(i), format.canBeSigned() ? given : NONE));
        }
        if (!isSigned && !settings.isBlank(AlarmKeys.SECRETS_OF_ROBOTS)) {
            warnings.add(
                    new Warning.General("%s has no effect: only requests of the formats dingtalk and feishu are signed"
                            .formatted(AlarmKeys.SECRETS_OF_ROBOTS.name())));
        }
        return webhooks;
    }

    private static String count(List<Secret> urls) {
        return "%s has %d".formatted(AlarmKeys.URLS.name(), urls.size());
    }

    private void checkUrl(String text, int number) {
        String wrong = obstacle(text);
        if (wrong != null) {
            settings.reject(AlarmKeys.URLS, "URL %d of it %s".formatted(number, wrong));
        } else if (text.toLowerCase(Locale.ROOT).startsWith("http:")
                && !LoopbackHost.is(URI.create(text).getHost())) {
            warnings.add(new Warning.General(
                    "%s: URL %d of it is without TLS: alarms, and the URL itself, can be read on the network"
                            .formatted(AlarmKeys.URLS.name(), number)));
        }
    }

    private static @Nullable String obstacle(String text) {
        URI uri;
        try {
            uri = new URI(text);
        } catch (URISyntaxException e) {
            return "is not a URL; a comma in it is written as %2C";
        }
        String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        if (!scheme.equals("https") && !scheme.equals("http")) {
            return "must begin with https:// or http://";
        }
        if (uri.getHost() == null && String.valueOf(uri.getRawAuthority()).contains("_")) {
            return "has a _ in the name of the host, which Java's client for HTTP does not accept: use another name of the host, or its address";
        }
        if (uri.getHost() == null || uri.getPort() > 65_535 || uri.getPort() == 0) {
            return "has no host, or no valid port: https://host/path";
        }
        if (uri.getRawUserInfo() != null) {
            return "has a user before the host, which is not supported: use a URL with a token";
        }
        return uri.getRawFragment() == null ? null : "has a fragment (#…), which is never sent: remove it";
    }
}
