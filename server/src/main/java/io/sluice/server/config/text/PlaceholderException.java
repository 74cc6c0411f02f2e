package io.sluice.server.config.text;

/** A placeholder that cannot be filled in; the message states why and what to do, and quotes nothing that is secret. */
final class PlaceholderException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PlaceholderException(String message) {
        super(message);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
