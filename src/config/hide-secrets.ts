const secret = /^(password|token|secret|key)$/i;
/** Values of headers are as secret as what they authenticate. */
const holdsSecrets = /^headers$/i;
const hidden = '(hidden)';

/** The value of one setting to be shown, by its dotted path. */
export function hideSecretsAt(path: string, value: unknown): unknown {
  const name = path.slice(path.lastIndexOf('.') + 1);
  return secret.test(name) && typeof value === 'string' && value !== '' ? hidden : hideSecrets(value);
}

/** A copy of settings to be shown: secrets that were written inline are hidden, names of files that hold some are not. */
export function hideSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hideSecrets);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (secret.test(name) && typeof inner === 'string' && inner !== '') return [name, hidden];
      if (holdsSecrets.test(name) && typeof inner === 'object' && inner !== null) {
        return [name, Object.fromEntries(Object.keys(inner).map(header => [header, hidden]))];
      }
      return [name, hideSecrets(inner)];
    }),
  );
}
