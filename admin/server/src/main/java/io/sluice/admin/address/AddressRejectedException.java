package io.sluice.admin.address;

import java.io.IOException;

/** An address that is not connected to. The message says why, and what to do. */
public final class AddressRejectedException extends IOException {
    private static final long serialVersionUID = 1L;

    AddressRejectedException(String message) {
        super(message);
    }
}
