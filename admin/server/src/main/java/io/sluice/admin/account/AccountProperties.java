package io.sluice.admin.account;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of users.
 *
 * @param initialPasswordFile where the initial password of the first administrator is written, until it is changed; relative to the
 *     working directory
 * @param resetPassword a user who gets a new initial password at this start; for an administrator who has lost theirs
 */
@ConfigurationProperties("sluice.account")
record AccountProperties(
        @DefaultValue("../data/initial-password") String initialPasswordFile,
        @Nullable String resetPassword) {}
