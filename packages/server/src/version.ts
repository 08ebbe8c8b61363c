import manifest from '../package.json' with { type: 'json' };

/** The version of the house. */
export const version = manifest.version;
