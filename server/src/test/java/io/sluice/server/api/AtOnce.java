package io.sluice.server.api;

import io.sluice.server.EndlessExecutor;

/** Runs tasks in the calling thread, so that no caller waits in vain for a thread that has no processor. */
final class AtOnce extends EndlessExecutor {
    static final AtOnce EXECUTOR = new AtOnce();

    private AtOnce() {}

    @Override
    public void execute(Runnable task) {
        task.run();
    }
}
