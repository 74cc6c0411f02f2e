package io.sluice.admin.address;

import java.io.IOException;

/** An address is not allowed as the target of a connection. The message states the reason and the remedy. */
public final class AddressRejectedException extends IOException {
    private static final long serialVersionUID = 1L;

    AddressRejectedException(String message) {
        super(message);
    }
}
