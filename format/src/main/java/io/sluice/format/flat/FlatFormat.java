package io.sluice.format.flat;

import io.sluice.format.message.MessageEncoder;
import io.sluice.format.message.MessageFormat;

/** canal's flat JSON messages. */
public record FlatFormat() implements MessageFormat {
    @Override
    public String name() {
        return "flat";
    }

    @Override
    public Unit unit() {
        return Unit.ENTRY;
    }

    @Override
    public MessageEncoder newEncoder() {
        return new FlatJsonEncoder();
    }
}
