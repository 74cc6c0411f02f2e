/** What an operator asks for beside the running server, a class per verb. It does not know how a server is started. */
@NullMarked
package io.sluice.deployer.command;

import org.jspecify.annotations.NullMarked;
