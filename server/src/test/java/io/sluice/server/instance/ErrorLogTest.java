package io.sluice.server.instance;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.server.config.text.Masking;
import io.sluice.stream.failure.StreamException;
import io.sluice.testkit.time.HandTime;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ErrorLogTest {
    @Test
    void anInstanceThatHasFailedMayBeStartedAgainByItself() {
        ErrorLog errors = new ErrorLog(new HandTime());

        errors.addOfInstance("the delivery", new IOException("no login"));

        assertThat(errors.newest())
                .singleElement()
                .satisfies(item -> assertThat(item.remedy())
                        .isEqualTo(
                                "the delivery cannot continue: remove the cause, then start the instance again, or restart the"
                                        + " server if keys of it or of the broker have changed, or wait for its"
                                        + " next attempt if it has canal.instance.restart = backoff"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aDeliveryThatHasEndedTheInstanceIsNotReportedAsOneThatIsTriedAgain(boolean isDeliveryFirst) {
        ErrorLog errors = new ErrorLog(new HandTime());
        IOException rejected = new IOException("the message is too large");
        IllegalStateException end = new IllegalStateException("rejected for good", rejected);
        errors.addOfDelivery(new IOException("not leader"));

        if (isDeliveryFirst) {
            errors.addOfDelivery(rejected);
        }
        errors.addOfInstance("the sender", end);
        if (!isDeliveryFirst) {
            errors.addOfDelivery(rejected);
        }

        assertThat(errors.newest())
                .extracting(item -> item.kind() + ": " + item.message())
                .containsExactly("failed: rejected for good", "delivery_failed: not leader");
        errors.addOfDelivery(new IOException("not leader"));
        assertThat(errors.newest()).hasSize(3);
    }

    @Test
    void anEventThatIsTooLargeForClientsThatPullHasTheRemedyOfThoseThatAreTooLargeToBeRead() {
        ErrorLog errors = new ErrorLog(new HandTime());

        errors.addOfInstance(
                "the port where clients pull", new StreamException(SourceFailure.EVENT_TOO_LARGE, "a large message"));

        assertThat(errors.newest())
                .singleElement()
                .satisfies(item -> assertThat(item.remedy()).isEqualTo(SourceFailure.EVENT_TOO_LARGE.remedy()));
    }

    /** The source continues to write its binlog while the instance tries again. */
    @Test
    void aFailureThatDiffersInPositionsOnlyIsOneThatHasHappenedSeveralTimes() {
        ErrorLog errors = new ErrorLog(new HandTime());
        String still =
                "db has purged what is needed; it still has binlog.000010:4 to binlog.%s, without 3E11FA47-71CA-11E1-9E33-C80AA9429562:1-%d";

        for (String text : List.of(
                still.formatted("000011:157", 5),
                still.formatted("000011:99157", 17),
                still.formatted("000012:4", 21))) {
            SourceException cause = new SourceException(SourceFailure.PURGED, text);
            errors.addOfSource(SourceFailure.PURGED, cause);
            errors.addOfInstance(ErrorLog.SOURCE, cause);
        }

        assertThat(errors.newest()).singleElement().satisfies(item -> {
            assertThat(item.part()).isEqualTo("source");
            assertThat(item.times()).isEqualTo(3);
            assertThat(item.message()).isEqualTo(still.formatted("000012:4", 21));
        });
    }

    @Test
    void gtidsOfMariaDbAndSingleTransactionsArePositions() {
        ErrorLog errors = new ErrorLog(new HandTime());
        String lacks =
                "db does not have the transactions 3e11fa47-71ca-11e1-9e33-c80aa9429562:%d:9,0-1-%d,5-1-%d, which were read already";

        for (int i = 10; i < 13; i++) {
            errors.addOfSource(
                    SourceFailure.LAGGING, new SourceException(SourceFailure.LAGGING, lacks.formatted(i, i, i)));
        }

        assertThat(errors.newest())
                .singleElement()
                .satisfies(item -> assertThat(item.times()).isEqualTo(3));
    }

    @Test
    void failuresOfTwoServersAreTwo() {
        ErrorLog errors = new ErrorLog(new HandTime());
        for (String text : List.of("cannot connect to 10.0.0.1:3306", "cannot connect to 10.0.0.1:3307")) {
            errors.addOfSource(SourceFailure.UNREACHABLE, new SourceException(SourceFailure.UNREACHABLE, text));
        }

        assertThat(errors.newest()).hasSize(2);
    }

    /** A word of a server, or a GTID set, may have any length; an error here would end the source for good. */
    @Test
    void aMessageOfAnyLengthIsShortenedAndCompared() {
        ErrorLog errors = new ErrorLog(new HandTime());
        String gtids = "the GTIDs 3e11fa47-71ca-11e1-9e33-c80aa9429562" + ":2".repeat(20_000);
        String ranges = "x" + ":1" + "-2".repeat(20_000);
        String others = "x:" + "a:".repeat(20_000);

        for (String text : List.of(gtids, gtids, ranges, ranges, others, others)) {
            SourceException cause = new SourceException(SourceFailure.MISCONFIGURED, text);
            errors.addOfSource(SourceFailure.MISCONFIGURED, cause);
            errors.addOfInstance(ErrorLog.SOURCE, cause);
        }

        assertThat(errors.newest()).extracting(ErrorLog.Item::times).containsExactly(2, 2, 2);
        assertThat(errors.newest())
                .extracting(ErrorLog.Item::message)
                .allSatisfy(message ->
                        assertThat(message).hasSize(ErrorLog.MAX_MESSAGE + 1).endsWith("…"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"x //root:S3cretPassw0rd@h/db", "x password=\"alpha beta gamma\" y"})
    void whatIsKeptOfALongMessageShowsNoPartOfAPassword(String secret) {
        for (int shown = 1; shown < secret.length(); shown++) {
            ErrorLog errors = new ErrorLog(new HandTime());

            errors.addOfStart(new IOException(
                    "a ".repeat(ErrorLog.MAX_MESSAGE).substring(0, ErrorLog.MAX_MESSAGE - shown) + secret));

            assertThat(errors.newest())
                    .singleElement()
                    .satisfies(item ->
                            assertThat(Masking.sentence(item.message())).doesNotContain("S3c", "alp", "beta", "gam"));
        }
    }

    @Test
    void noCharacterIsCut() {
        ErrorLog errors = new ErrorLog(new HandTime());

        errors.addOfStart(new IOException("x".repeat(ErrorLog.MAX_MESSAGE - 1) + "\uD83D\uDE00"));

        assertThat(errors.newest())
                .singleElement()
                .satisfies(item -> assertThat(item.message()).isEqualTo("x".repeat(ErrorLog.MAX_MESSAGE - 1) + "…"));
    }
}
