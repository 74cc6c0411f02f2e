package io.sluice.server.ha;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.ha.Obstacle.Kind;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ObstacleTest {
    private static final Set<Code> SILENCES = Set.of(
            Code.CONNECTIONLOSS,
            Code.OPERATIONTIMEOUT,
            Code.REQUESTTIMEOUT,
            Code.SESSIONEXPIRED,
            Code.SESSIONMOVED,
            Code.UNKNOWNSESSION,
            Code.NOTREADONLY,
            Code.THROTTLEDOP);

    private static final Set<Code> REFUSALS =
            Set.of(Code.NOAUTH, Code.AUTHFAILED, Code.INVALIDACL, Code.SESSIONCLOSEDREQUIRESASLAUTH);

    private static Kind kindOf(Throwable cause) {
        return Obstacle.of(cause).kind();
    }

    @ParameterizedTest
    @EnumSource
    void onlyWhatIsNoAnswerOfZooKeeperIsASilence(Code code) {
        KeeperException cause = new KeeperException(code) {
            private static final long serialVersionUID = 1;
        };

        assertThat(kindOf(cause))
                .isEqualTo(
                        SILENCES.contains(code) ? Kind.SILENCE : REFUSALS.contains(code) ? Kind.REJECTION : Kind.OTHER);
    }

    @Test
    void aQuestionWithoutAnAnswerIsASilence() {
        assertThat(kindOf(new TimeoutException())).isEqualTo(Kind.SILENCE);
        assertThat(kindOf(new IOException())).isEqualTo(Kind.SILENCE);
        assertThat(kindOf(new InterruptedException())).isEqualTo(Kind.SILENCE);
    }

    @Test
    void anErrorIsNoSilence() {
        assertThat(kindOf(new IllegalStateException())).isEqualTo(Kind.OTHER);
        assertThat(kindOf(new OutOfMemoryError())).isEqualTo(Kind.OTHER);
    }

    @Test
    void theRemedyOfAMissingNodeNamesThePathOfTheConfiguration() {
        assertThat(Obstacle.of(new KeeperException.NoNodeException("/otter")).remedy())
                .contains("canal.zkServers");
        assertThat(Obstacle.of(new KeeperException.QuotaExceededException("/otter"))
                        .remedy())
                .doesNotContain("canal.zkServers");
    }
}
