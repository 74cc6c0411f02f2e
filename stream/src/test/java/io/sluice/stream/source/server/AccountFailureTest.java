package io.sluice.stream.source.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.mysql.wire.error.ServerErrorException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccountFailureTest {
    /** Of MySQL and MariaDB: by an operator, and after failed logins. */
    @ParameterizedTest
    @ValueSource(ints = {3118, 4151, 3955, 4150})
    void anAccountThatIsLockedHasToBeUnlocked(int errno) {
        ServerErrorException refusal =
                new ServerErrorException("cannot log in", errno, "HY000", "Account is blocked", "");

        Throwable explained = AccountFailure.explained(
                refusal, ConnectOptions.of(new ServerAddress("db", 3306), "canal", "secret"), null);

        assertThat(FailureClassifier.of(explained)).isEqualTo(SourceFailure.AUTHENTICATION);
        assertThat(FailureClassifier.remedy(explained)).contains("then unlock the account at the source");
    }
}
