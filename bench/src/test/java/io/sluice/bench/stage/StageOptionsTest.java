package io.sluice.bench.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.bench.e2e.Form;
import io.sluice.bench.workload.Workload;
import io.sluice.bench.workload.WorkloadKind;
import java.util.List;
import org.junit.jupiter.api.Test;

class StageOptionsTest {
    @Test
    void everythingIsReadFromFilesUnlessOneSaysOtherwise() {
        StageOptions options = StageOptions.parse(List.of());

        assertThat(options.workloads())
                .containsExactly(Workload.usual(WorkloadKind.MIXED), Workload.usual(WorkloadKind.BATCH));
        assertThat(options.forms()).containsExactly(Form.RAW, Form.FLAT);
        assertThat(options.live()).isFalse();
        assertThat(options.check()).isTrue();
    }

    @Test
    void whatIsGivenIsTaken() {
        StageOptions options = StageOptions.parse(List.of(
                "--workload", "batch", "--mode", "flat", "--rows", "5", "--live", "--no-check", "--set", "a=b"));

        assertThat(options.workloads()).containsExactly(new Workload(WorkloadKind.BATCH, 5, 1));
        assertThat(options.forms()).containsExactly(Form.FLAT);
        assertThat(options.live()).isTrue();
        assertThat(options.check()).isFalse();
        assertThat(options.settings()).containsExactly("a=b");
    }

    @Test
    void whatCannotBeReadIsNamed() {
        assertThatThrownBy(() -> StageOptions.parse(List.of("--rows", "many"))).hasMessageContaining("--rows");
        assertThatThrownBy(() -> StageOptions.parse(List.of("--faster"))).hasMessageContaining("--faster");
    }
}
