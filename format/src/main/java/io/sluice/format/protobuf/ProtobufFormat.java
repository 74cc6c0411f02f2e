package io.sluice.format.protobuf;

import io.sluice.format.message.MessageEncoder;
import io.sluice.format.message.MessageFormat;

/** canal's protobuf packets. */
public record ProtobufFormat() implements MessageFormat {
    @Override
    public String name() {
        return "protobuf";
    }

    @Override
    public Unit unit() {
        return Unit.PACKET;
    }

    @Override
    public MessageEncoder newEncoder() {
        return new ProtobufEncoder();
    }
}
