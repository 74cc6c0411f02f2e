package io.sluice.server.alarm;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.server.config.alarm.Webhook;
import io.sluice.server.config.alarm.WebhookFormat;
import io.sluice.server.config.text.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What each kind of web hook gets. */
class PostingTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
    private static final String HOSTILE =
            "<!channel> <at user_id=\"all\"></at> @all \"&amp; *b*\n\u0007[x](http://e) \u202e\ud800";

    /** As computed by openssl of the text that each service documents. */
    @Test
    void requestsAreSignedAsTheServicesDocument() throws IOException {
        Posting dingTalk = Posting.of(
                new Webhook(
                        WebhookFormat.DINGTALK,
                        new Secret("https://d/robot/send?access_token=t"),
                        new Secret("SECabc")),
                message("why"),
                NOW);
        assertThat(dingTalk.uri())
                .hasToString(
                        "https://d/robot/send?access_token=t&timestamp=1772359200000&sign=W2MWYRmujdnBVRl8u05DVZzD%2FkpsjWnAiPobbkELzZQ%3D");
        JsonNode feishu = JSON.readTree(Posting.of(
                        new Webhook(WebhookFormat.FEISHU, new Secret("https://f/hook/1"), new Secret("abc")),
                        message("why"),
                        NOW)
                .body());
        assertThat(feishu.path("timestamp").asText()).isEqualTo("1772359200");
        assertThat(feishu.path("sign").asText()).isEqualTo("hlTaZmqmIeoD49RN4CxjGrUOksdq4D5pQ4hFcDehtJU=");
    }

    @Test
    void eachFormatHasTheTextInItsPlace() throws IOException {
        String line = "[raised] instance shop: the source cannot be read, since 2026-03-01T09:59:00Z (60 s)."
                + " unreachable. What to do: check the host's address";
        assertThat(post(WebhookFormat.DINGTALK, "unreachable")).hasToString("""
                {"msgtype":"text","text":{"content":"Sluice on db-host: an alarm\\n%s"}}""".formatted(line));
        assertThat(post(WebhookFormat.FEISHU, "unreachable")).hasToString("""
                {"msg_type":"post","content":{"post":{"en_us":{"title":"Sluice on db-host: an alarm",\
                "content":[[{"tag":"text","text":"%s"}]]}}}}""".formatted(line));
        assertThat(post(WebhookFormat.SLACK, "unreachable")).hasToString("""
                {"text":"Sluice on db-host: an alarm\\n%s","mrkdwn":false}""".formatted(line));
        assertThat(post(WebhookFormat.JSON, "unreachable")).hasToString("""
                {"version":1,"server":"db-host","time":"2026-03-01T10:00:00Z","dropped":0,\
                "text":"Sluice on db-host: an alarm\\n%s","alarms":[{"instance":"shop","kind":"source_lost",\
                "phase":"raised","since":"2026-03-01T09:59:00Z","seconds":60,"occurrences":1,\
                "title":"the source cannot be read","what":"unreachable","remedy":"check the host's address"}]}""".formatted(line));
    }

    @ParameterizedTest
    @EnumSource(WebhookFormat.class)
    void aTextMentionsNobodyAndBreaksNothing(WebhookFormat format) throws IOException {
        String body = posting(format, HOSTILE).body();

        assertThat(JSON.readTree(body).isObject()).isTrue();
        assertThat(body).doesNotContain("\n", "\u0007", "\\u0007", "\u202e");
        if (format == WebhookFormat.SLACK) {
            assertThat(body).doesNotContain("<").contains("&lt;!channel&gt;", "&amp;amp;", "\"mrkdwn\":false");
        }
    }

    @ParameterizedTest
    @EnumSource(WebhookFormat.class)
    void aMessageStaysBelowTheLimitsOfTheServices(WebhookFormat format) {
        Alarm longest = alarm("\u5e93".repeat(5000));
        AlarmMessage message = new AlarmMessage(
                "s".repeat(5000), NOW, 1, Collections.nCopies(WebhookSender.MAX_IN_A_MESSAGE, longest));

        int limit = format == WebhookFormat.JSON ? 64_000 : 40_000;
        assertThat(Posting.of(hook(format), message, NOW).body().getBytes(StandardCharsets.UTF_8).length)
                .isLessThan(limit);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"code\":0,\"msg\":\"success\"}", "{\"StatusCode\":0,\"StatusMessage\":\"success\"}"})
    void feishuAcceptsInTwoForms(String answer) {
        assertThat(Posting.verdict(hook(WebhookFormat.FEISHU), new HttpAnswer(200, answer, OptionalLong.empty())))
                .isEqualTo(Posting.Verdict.ACCEPTED);
        assertThat(Posting.verdict(
                        hook(WebhookFormat.FEISHU),
                        new HttpAnswer(200, "{\"code\":19021,\"msg\":\"sign match fail\"}", OptionalLong.empty())))
                .isEqualTo(Posting.Verdict.REJECTED);
    }

    @FuzzTest
    void anyTextAndAnyAnswerAreHandled(byte[] anything) throws IOException {
        String text = new String(anything, StandardCharsets.UTF_8);
        for (WebhookFormat format : WebhookFormat.values()) {
            assertThat(JSON.readTree(posting(format, text).body()).isObject()).isTrue();
            assertThat(Posting.verdict(hook(format), new HttpAnswer(200, text, OptionalLong.empty())))
                    .isNotNull();
        }
    }

    private static JsonNode post(WebhookFormat format, String what) throws IOException {
        return JSON.readTree(posting(format, what).body());
    }

    private static Posting posting(WebhookFormat format, String what) {
        return Posting.of(hook(format), message(what), NOW);
    }

    private static Webhook hook(WebhookFormat format) {
        return new Webhook(format, new Secret("https://hooks/1"), new Secret(""));
    }

    private static AlarmMessage message(String what) {
        return new AlarmMessage("db-host", NOW, 0, List.of(alarm(what)));
    }

    private static Alarm alarm(String what) {
        return new Alarm(
                AlarmKind.SOURCE_LOST,
                Alarm.Phase.RAISED,
                "shop",
                what,
                "check the host's address",
                NOW.minusSeconds(60),
                Duration.ofSeconds(60),
                1);
    }
}
