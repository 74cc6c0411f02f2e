package io.sluice.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A caller, known or not, that does not stop sending a body. */
class RequestBodiesTest {
    private static final String CHUNK = "2000\r\n" + "x".repeat(0x2000) + "\r\n";
    private static final String CHUNKED = "Transfer-Encoding: chunked";

    @TempDir
    private Path home;

    private ApiChannel channel;

    @BeforeEach
    void open() throws IOException {
        channel = new ApiChannel(home);
    }

    @AfterEach
    void close() {
        channel.close();
    }

    private void sendTooMuch(String length) {
        channel.send("POST /api/v1/config/check HTTP/1.1\r\n" + length + "\r\n\r\n");
        channel.send(CHUNK.repeat(9));
    }

    private void assertRefused() {
        assertThat(channel.received()).startsWith("HTTP/1.1 413 ").containsIgnoringCase("connection: close");
    }

    @ParameterizedTest
    @ValueSource(strings = {CHUNKED, "Content-Length: 9000000000000000000"})
    void aBodyWithoutAnEndIsNotReadForLong(String length) {
        sendTooMuch(length);
        assertRefused();
        channel.pass(RequestBodies.REST_SECONDS - 1);
        channel.send(CHUNK.repeat(100));
        assertThat(channel.isOpen()).as("it may still read the answer").isTrue();

        channel.pass(1);

        assertThat(channel.isOpen()).isFalse();
        assertThat(channel.rejections()).isOne();
        assertThat(channel.received()).isEmpty();
    }

    @Test
    void theConnectionIsClosedAtTheEndOfABodyThatIsTooLarge() {
        sendTooMuch(CHUNKED);
        assertRefused();

        channel.send(CHUNK + "0\r\n\r\n" + "GET / HTTP/1.1\r\n\r\n");

        assertThat(channel.isOpen()).isFalse();
        assertThat(channel.received()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                CHUNKED,
                "Content-Length: 9000000000000000000",
                "Content-Length: 9000000000000000000\r\nExpect: 100-continue"
            })
    void aBodyThatIsTooLargeIsAnsweredInItsTurn(String length) {
        channel.send(channel.call());
        sendTooMuch(length);
        channel.send(CHUNK);
        channel.pass(2 * RequestBodies.REST_SECONDS);
        assertThat(channel.received()).isEmpty();
        assertThat(channel.isOpen()).isTrue();

        channel.runCalls();

        String[] answers = channel.received().split("(?=HTTP/1.1 )", -1);
        assertThat(answers).hasSize(2);
        assertThat(answers[0]).startsWith("HTTP/1.1 200 ").doesNotContainIgnoringCase("connection: close");
        assertThat(answers[1]).startsWith("HTTP/1.1 413 ").containsIgnoringCase("connection: close");
        channel.pass(RequestBodies.REST_SECONDS - 1);
        assertThat(channel.isOpen()).as("it may still read the answer").isTrue();
        channel.pass(1);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void aBodyThatHasEndedIsNotWaitedForAfterTheAnswer() {
        channel.send(channel.call());
        sendTooMuch(CHUNKED);
        channel.send("0\r\n\r\n" + channel.call());
        assertThat(channel.isOpen()).as("it waits for two answers").isTrue();

        channel.runCalls();

        assertThat(channel.received()).contains("HTTP/1.1 200 ", "HTTP/1.1 413 ");
        assertThat(channel.isOpen()).isFalse();
        assertThat(channel.rejections()).isOne();
    }

    /** A call whose caller waits to be told that its body of two bytes may come. */
    private String askingCall() {
        String headers = "\r\nContent-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-Continue\r\n\r\n";
        return channel.call().replace("\r\n\r\n", headers);
    }

    private static String[] answers(String received) {
        return received.split("(?=HTTP/1.1 )", -1);
    }

    @Test
    void aCallerThatAsksIsToldAtOnceThatItsBodyMayCome() {
        channel.send(askingCall());
        assertThat(channel.received()).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");

        channel.send("{}");
        channel.runCalls();

        assertThat(channel.received()).startsWith("HTTP/1.1 200 ");
        assertThat(channel.isOpen()).isTrue();
    }

    @Test
    void aCallerThatAsksIsToldThatItsBodyMayComeAfterTheAnswersBefore() {
        channel.send(channel.call() + channel.call() + askingCall());
        assertThat(channel.received()).isEmpty();

        channel.runCalls();

        String[] answers = answers(channel.received());
        assertThat(answers).hasSize(3);
        assertThat(answers[0]).startsWith("HTTP/1.1 200 ");
        assertThat(answers[1]).startsWith("HTTP/1.1 200 ");
        assertThat(answers[2]).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
        channel.send("{}");
        channel.runCalls();
        assertThat(channel.received()).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void aCallerThatDoesNotWaitForThatIsNotTold() {
        channel.send(channel.call() + askingCall() + "{}" + channel.call());

        channel.runCalls();

        assertThat(answers(channel.received())).hasSize(3).allMatch(answer -> answer.startsWith("HTTP/1.1 200 "));
    }

    @Test
    void whatCannotBeExpectedIsAnsweredInItsTurn() {
        channel.send(channel.call() + askingCall().replace("100-Continue", "a-cookie"));
        assertThat(channel.received()).isEmpty();
        assertThat(channel.isOpen()).isTrue();

        channel.runCalls();

        String[] answers = answers(channel.received());
        assertThat(answers).hasSize(2);
        assertThat(answers[0]).startsWith("HTTP/1.1 200 ").doesNotContainIgnoringCase("connection: close");
        assertThat(answers[1]).startsWith("HTTP/1.1 417 ").containsIgnoringCase("connection: close");
        channel.send("{}");
        assertThat(channel.isOpen()).isFalse();
    }

    /** Nothing is answered after events, so it would be read without end. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aBodyWithoutAnEndIsNotReadWhileEventsAreSent(boolean comesBefore) {
        channel.send(channel.callForEvents());
        if (!comesBefore) {
            channel.runCalls();
        }
        sendTooMuch(CHUNKED);
        channel.runCalls();

        assertThat(channel.isOpen()).isFalse();
        assertThat(channel.rejections()).isOne();
    }

    @Test
    void eventsAreSentOnIfAnotherRequestComes() {
        channel.send(channel.callForEvents() + channel.call());
        channel.runCalls();
        channel.send(askingCall() + "{}" + askingCall());

        assertThat(channel.isOpen()).isTrue();
        assertThat(answers(channel.received())).hasSize(1);
    }
}
