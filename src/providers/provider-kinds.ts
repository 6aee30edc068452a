/** Every kind of provider there is; a test compares this list with the folder. */
export const providerKinds = ['rules', 'fact', 'module', 'replay'] as const;
