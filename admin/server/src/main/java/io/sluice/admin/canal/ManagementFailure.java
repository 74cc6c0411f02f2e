package io.sluice.admin.canal;

import io.sluice.admin.problem.FailureKind;
import java.io.IOException;

/** A request to a management port failed. The message states the reason and the remedy. */
public final class ManagementFailure extends IOException {
    private static final long serialVersionUID = 1L;

    private final FailureKind kind;

    ManagementFailure(FailureKind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public FailureKind kind() {
        return kind;
    }
}
