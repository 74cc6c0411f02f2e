package io.sluice.server.alarm;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.server.config.alarm.Webhook;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A message as a web hook expects it.
 *
 * <p>DingTalk gets a plain text, Feishu a post whose parts are plain texts, and Slack a text with {@code &}, {@code <} and {@code >} escaped and
 * without markup: in none of them can a text mention a person, or be a link that hides where it goes.
 *
 * @param uri where to; secret
 * @param body JSON
 */
record Posting(URI uri, String body) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** DingTalk: the system is busy, too many messages in a minute. */
    private static final Set<Integer> DINGTALK_TRY_AGAIN = Set.of(-1, 130_101);

    /** Feishu: too many requests, of two kinds. */
    private static final Set<Integer> FEISHU_TRY_AGAIN = Set.of(9_499, 11_232);

    /** What became of a message. */
    enum Verdict {
        ACCEPTED,
        TRY_AGAIN,
        REJECTED
    }

    /**
     * Makes it.
     *
     * @param now the time of the signature
     */
    static Posting of(Webhook webhook, AlarmMessage message, Instant now) {
        String url = webhook.url().value();
        String secret = webhook.signingSecret().value();
        ObjectNode body = switch (webhook.format()) {
            case JSON -> json(message);
            case DINGTALK -> dingTalk(message);
            case FEISHU -> feishu(message);
            case SLACK -> slack(message);
        };
        if (!secret.isEmpty()) {
            switch (webhook.format()) {
                case DINGTALK -> {
                    String time = Long.toString(now.toEpochMilli());
                    String sign = sign(secret, time + "\n" + secret);
                    url += (url.contains("?") ? "&" : "?") + "timestamp=" + time + "&sign="
                            + URLEncoder.encode(sign, StandardCharsets.UTF_8);
                }
                case FEISHU -> {
                    String time = Long.toString(now.getEpochSecond());
                    body.put("timestamp", time).put("sign", sign(time + "\n" + secret, ""));
                }
                case JSON, SLACK -> {} // they have no signature of their own
            }
        }
        return new Posting(URI.create(url), body.toString());
    }

    private static ObjectNode json(AlarmMessage message) {
        ObjectNode json = JSON.createObjectNode()
                .put("version", 1)
                .put("server", message.server())
                .put("time", message.time().toString())
                .put("dropped", message.dropped())
                .put("text", message.title() + "\n" + String.join("\n", message.lines()));
        ArrayNode alarms = json.putArray("alarms");
        for (Alarm alarm : message.alarms()) {
            alarms.addObject()
                    .put("instance", alarm.destination())
                    .put("kind", alarm.kind().spelling())
                    .put("phase", alarm.phase().spelling())
                    .put("since", alarm.since().toString())
                    .put("seconds", alarm.lasting().toSeconds())
                    .put("occurrences", alarm.occurrences())
                    .put("title", alarm.kind().title())
                    .put("what", AlarmMessage.what(alarm))
                    .put("remedy", AlarmMessage.remedy(alarm));
        }
        return json;
    }

    private static ObjectNode dingTalk(AlarmMessage message) {
        ObjectNode json = JSON.createObjectNode().put("msgtype", "text");
        json.putObject("text").put("content", message.title() + "\n" + String.join("\n", message.lines()));
        return json;
    }

    private static ObjectNode feishu(AlarmMessage message) {
        ObjectNode json = JSON.createObjectNode().put("msg_type", "post");
        ObjectNode post = json.putObject("content").putObject("post").putObject("en_us");
        post.put("title", message.title());
        ArrayNode paragraphs = post.putArray("content");
        message.lines()
                .forEach(line ->
                        paragraphs.addArray().addObject().put("tag", "text").put("text", line));
        return json;
    }

    private static ObjectNode slack(AlarmMessage message) {
        String text = message.title() + "\n" + String.join("\n", message.lines());
        return JSON.createObjectNode()
                .put("text", text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))
                .put("mrkdwn", false);
    }

    private static String sign(String key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has HMAC-SHA256", e);
        }
    }

    /** What an answer means. Robots of DingTalk and Feishu answer with the status 200 to what they reject, too. */
    static Verdict verdict(Webhook webhook, HttpAnswer answer) {
        if (answer.status() == 429 || answer.status() >= 500) {
            return Verdict.TRY_AGAIN;
        }
        if (answer.status() < 200 || answer.status() > 299) {
            return Verdict.REJECTED;
        }
        return switch (webhook.format()) {
            case JSON, SLACK -> Verdict.ACCEPTED;
            case DINGTALK -> byCode(code(answer.text(), "errcode"), DINGTALK_TRY_AGAIN);
            case FEISHU -> byCode(code(answer.text(), "code", "StatusCode"), FEISHU_TRY_AGAIN);
        };
    }

    private static Verdict byCode(int code, Set<Integer> tryAgain) {
        if (code == 0) {
            return Verdict.ACCEPTED;
        }
        return tryAgain.contains(code) ? Verdict.TRY_AGAIN : Verdict.REJECTED;
    }

    /** The first of some members of a JSON object that is a number; the least number if there is none. */
    private static int code(String text, String... names) {
        try {
            JsonNode json = JSON.readTree(text);
            for (String name : names) {
                if (json != null && json.path(name).isIntegralNumber()) {
                    return json.path(name).asInt();
                }
            }
        } catch (JsonProcessingException e) {
            return Integer.MIN_VALUE; // as an answer without a code
        }
        return Integer.MIN_VALUE;
    }
}
