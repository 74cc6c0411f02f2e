package io.sluice.stream.source;

/** The end of a session, by a failure or since it was stopped. */
final class Ended extends Phase {
    private final SourceState last;

    Ended(Transition.End end) {
        super(end.host());
        this.last = end.last();
    }

    @Override
    Transition step() {
        throw new IllegalStateException("the source has ended: " + last);
    }

    @Override
    SourceState state() {
        return last;
    }
}
