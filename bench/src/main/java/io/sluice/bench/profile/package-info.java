/** Where a server's processor time goes: samples of its threads' stacks, sorted by purpose, and drawn. */
@NullMarked
package io.sluice.bench.profile;

import org.jspecify.annotations.NullMarked;
