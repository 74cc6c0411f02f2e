package io.sluice.admin.account;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AbstractAuthenticationToken;

/** A caller as Spring Security passes it. It is made for each request, and never stored. */
final class CallerToken extends AbstractAuthenticationToken {
    private static final long serialVersionUID = 1L;

    private final transient Caller caller;

    CallerToken(Caller caller) {
        super(List.of());
        this.caller = caller;
        setAuthenticated(true);
    }

    @Override
    public Caller getPrincipal() {
        return caller;
    }

    @Override
    public @Nullable Object getCredentials() {
        return null;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof CallerToken token && token.caller.equals(caller);
    }

    @Override
    public int hashCode() {
        return caller.hashCode();
    }
}
