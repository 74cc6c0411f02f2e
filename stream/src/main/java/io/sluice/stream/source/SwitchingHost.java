package io.sluice.stream.source;

/** Leaves a host for another one: ends the dump that may still run there. */
final class SwitchingHost extends Phase {
    private final Transition.SwitchHost begun;
    private final AbandonedDump abandoned;

    SwitchingHost(Transition.SwitchHost begun, AbandonedDump abandoned) {
        super(begun.left());
        this.begun = begun;
        this.abandoned = abandoned;
    }

    @Override
    Transition step() {
        abandoned.kill();
        return begun.delay().isZero()
                ? new Transition.Connect(begun.next())
                : new Transition.BackOff(host(), begun.failure(), begun.cause(), begun.delay());
    }

    @Override
    SourceState state() {
        return new SourceState.SwitchingHost(address(), begun.next().login().address(), begun.failure(), begun.cause());
    }
}
