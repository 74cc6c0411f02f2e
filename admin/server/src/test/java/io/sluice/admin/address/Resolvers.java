package io.sluice.admin.address;

/** Makes resolvers for tests of other packages. */
public final class Resolvers {
    private Resolvers() {}

    public static AddressResolver create() {
        return new AddressResolver();
    }
}
