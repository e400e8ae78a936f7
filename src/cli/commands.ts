/** What the first word can be; anything else names a fixture. */
export const COMMANDS = ['start', 'exec', 'validate', 'init', 'repair', 'assumptions', 'openapi', 'completion']
