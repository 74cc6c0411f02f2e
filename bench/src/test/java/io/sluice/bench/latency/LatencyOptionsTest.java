package io.sluice.bench.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sluice.bench.e2e.Form;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LatencyOptionsTest {
    @Test
    void withoutOptionsBothFormsAreMeasuredAtAllLoads() {
        LatencyOptions options = LatencyOptions.parse(List.of());

        assertThat(options.forms()).containsExactly(Form.values());
        assertThat(options.loads().stream().map(Schedule::name))
                .containsExactly("idle", "1,000 rows/s", "10,000 rows/s", "50,000 rows/s");
    }

    @Test
    void readsOptions() {
        LatencyOptions options = LatencyOptions.parse(
                List.of("--mode", "flat", "--loads", "500,idle", "--seconds", "4", "--set", "kafka.linger.ms=0"));

        assertThat(options.forms()).containsExactly(Form.FLAT);
        assertThat(options.loads().stream().map(Schedule::rowsPerSecond)).containsExactly(500L, 5L);
        assertThat(options.loads().get(1).transactions()).isEqualTo(25);
        assertThat(options.settings()).containsExactly("kafka.linger.ms=0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--loads,fast", "--mode,xml", "--seconds,0", "--seconds", "--other,1"})
    void refusesWhatItDoesNotKnow(String arguments) {
        assertThatIllegalArgumentException().isThrownBy(() -> LatencyOptions.parse(List.of(arguments.split(","))));
    }
}
