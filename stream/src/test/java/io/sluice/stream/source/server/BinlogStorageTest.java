package io.sluice.stream.source.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.ServerAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullAndEmptySource;

class BinlogStorageTest {
    private static final ServerAddress SERVER = new ServerAddress("db", 3306);

    @ParameterizedTest
    @NullAndEmptySource
    void aBinlogInFilesIsRead(String engine) {
        assertThatCode(() -> BinlogStorage.requireFiles(engine, SERVER)).doesNotThrowAnyException();
    }

    @Test
    void aBinlogInPagesOfAnEngineIsRefusedWithARemedy() {
        assertThatExceptionOfType(SourceException.class)
                .isThrownBy(() -> BinlogStorage.requireFiles("innodb", SERVER))
                .withMessageContaining("db:3306 has its binlog in innodb")
                .satisfies(e -> {
                    assertThat(e.failure()).isEqualTo(SourceFailure.MISCONFIGURED);
                    assertThat(e.remedy()).contains("without binlog_storage_engine");
                });
    }
}
