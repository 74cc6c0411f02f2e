package io.sluice.stream.source.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sluice.mysql.binlog.MalformedEventException;
import io.sluice.mysql.failure.Reaction;
import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.error.ResultTooLargeException;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.schema.filter.TableFilter;
import io.sluice.stream.failure.StreamException;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.security.cert.CertificateExpiredException;
import java.util.Arrays;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class FailureClassifierTest {
    static Stream<Arguments> exceptions() {
        return Stream.of(
                Arguments.of(new ConnectException("refused"), SourceFailure.UNREACHABLE),
                Arguments.of(new SocketTimeoutException("no answer"), SourceFailure.UNREACHABLE),
                Arguments.of(new EOFException("closed"), SourceFailure.UNREACHABLE),
                Arguments.of(new IOException("aborted", new IOException("reset")), SourceFailure.UNREACHABLE),
                Arguments.of(
                        new IOException(
                                "login", new SSLHandshakeException("bad").initCause(new CertificateExpiredException())),
                        SourceFailure.MISCONFIGURED),
                Arguments.of(new SSLHandshakeException("closed"), SourceFailure.UNREACHABLE),
                Arguments.of(
                        new IOException("wrapped", new SourceException(SourceFailure.LAGGING, "behind")),
                        SourceFailure.LAGGING),
                Arguments.of(
                        new StreamException(SourceFailure.UNSUPPORTED_EVENT, "unknown"),
                        SourceFailure.UNSUPPORTED_EVENT),
                Arguments.of(new MalformedEventException("cut short"), SourceFailure.CORRUPT),
                Arguments.of(new ResultTooLargeException("too large", "raise -Xmx"), SourceFailure.UNREACHABLE),
                Arguments.of(
                        new UncheckedIOException(new SourceException(SourceFailure.HISTORY_UNREACHABLE, "away")),
                        SourceFailure.HISTORY_UNREACHABLE),
                Arguments.of(refused(3955, "Account is blocked for 1 day(s)"), SourceFailure.AUTHENTICATION),
                Arguments.of(refused(1045, "Access denied for user"), SourceFailure.AUTHENTICATION),
                Arguments.of(refused(1045, "Access denied for user").ofDump(), SourceFailure.MISCONFIGURED),
                Arguments.of(refused(1381, "You are not using binary logging"), SourceFailure.NO_BINLOG),
                Arguments.of(refused(4150, "User is blocked"), SourceFailure.AUTHENTICATION),
                Arguments.of(refused(1524, "Plugin 'x' is not loaded").ofLogin(), SourceFailure.AUTHENTICATION),
                Arguments.of(refused(20_000, "of a newer server").ofLogin(), SourceFailure.REJECTED),
                Arguments.of(refused(20_000, "of a newer server").ofDump(), SourceFailure.REJECTED),
                Arguments.of(refused(20_000, "of a newer server"), SourceFailure.REJECTED),
                Arguments.of(refused(1049, "Unknown database").ofLogin(), SourceFailure.MISCONFIGURED),
                Arguments.of(refused(1040, "Too many connections").ofLogin(), SourceFailure.UNREACHABLE),
                Arguments.of(refused(1041, "Out of memory").ofLogin(), SourceFailure.UNREACHABLE),
                Arguments.of(
                        new ServerErrorException("cannot log in", 1158, "08S01", "Got an error reading", "").ofLogin(),
                        SourceFailure.UNREACHABLE),
                Arguments.of(new NullPointerException(), SourceFailure.INTERNAL),
                Arguments.of(new StackOverflowError(), SourceFailure.INTERNAL));
    }

    private static ServerErrorException refused(int errno, String message) {
        return new ServerErrorException("cannot log in", errno, "HY000", message, "");
    }

    @ParameterizedTest
    @MethodSource("exceptions")
    void everyExceptionIsOneOfTheList(Throwable thrown, SourceFailure failure) {
        assertThat(FailureClassifier.of(thrown)).isEqualTo(failure);
    }

    /** Of MySQL Router, MaxScale, the proxy of RDS and OBProxy, while the server to which they lead does not answer, and of a server under load. */
    @ParameterizedTest
    @ValueSource(ints = {2002, 2003, 2013, 2055, 1105, 1815, 4012, 9001, 9501, 1205, 1290, 1836, 1038, 3168})
    void aLoginThatFailsForAnotherReasonThanTheAccountIsRetriedWithoutEnd(int errno) {
        assertThat(FailureClassifier.of(
                        refused(errno, "Can't connect to remote MySQL server").ofLogin()))
                .isEqualTo(SourceFailure.REJECTED);
        assertThat(SourceFailure.REJECTED.reaction()).isEqualTo(Reaction.RETRY);
    }

    /** With the SQL states that servers send. */
    @ParameterizedTest
    @CsvSource({
        "1045,28000",
        "1698,28000",
        "1251,08004",
        "1524,HY000",
        "1130,HY000",
        "1820,HY000",
        "1862,HY000",
        "3118,HY000",
        "3159,HY000",
        "3955,HY000",
        "4150,HY000",
        "4151,HY000"
    })
    void anErrorOfTheAccountIsOneWhateverItsState(int errno, String state) {
        ServerErrorException error = new ServerErrorException("cannot log in", errno, state, "no", "").ofLogin();

        assertThat(FailureClassifier.of(error)).isEqualTo(SourceFailure.AUTHENTICATION);
        assertThat(error.isTemporary()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(SourceFailure.class)
    void everyFailureHasARemedyAndASpellingOfItsOwn(SourceFailure failure) {
        assertThat(failure.remedy()).hasSizeGreaterThan(15).doesNotEndWith(".");
        assertThat(failure.spelling()).matches("[a-z_]+");
        assertThat(failure.reaction()).isNotNull();
    }

    /** As of a server whose folder was copied to another host while it runs. */
    @Test
    void theRemedyForAnIdInUseDoesNotLetTwoCopiesOfAnInstanceDeliver() {
        assertThat(SourceFailure.DUPLICATE_SERVER_ID.remedy())
                .startsWith("if the other replica is a copy of this instance, stop one of both");
    }

    @Test
    void spellingsAreUnique() {
        assertThat(Arrays.stream(SourceFailure.values()).map(SourceFailure::spelling))
                .doesNotHaveDuplicates();
    }

    @Test
    void aConfiguredFilterThatTakesTooLongIsNoDefect() {
        TableFilter filter = new TableFilter(".*".repeat(24) + "x", "");

        Throwable thrown = catchThrowable(() -> filter.passes("shop", "orders"));

        assertThat(FailureClassifier.of(thrown)).isEqualTo(SourceFailure.FILTER_TOO_EXPENSIVE);
    }

    /** And not that of damage, which an operator would pass over. */
    @Test
    void aResultThatIsTooLargeHasTheRemedyOfItsLimit() {
        IOException thrown =
                new IOException("reading", new ResultTooLargeException("definitions exceed the limit", "raise -Xmx"));

        assertThat(FailureClassifier.remedy(thrown)).isEqualTo("raise -Xmx");
    }
}
