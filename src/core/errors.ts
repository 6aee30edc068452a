/**
 * A mistake of the caller or operator that stops a command or start-up: says what is wrong, where, and the remedy.
 * The command line prints its message as one line and exits with `exitCode` (2 usage or configuration, 1 otherwise).
 */
export class StartupError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = 2, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartupError';
    this.exitCode = exitCode;
  }
}
