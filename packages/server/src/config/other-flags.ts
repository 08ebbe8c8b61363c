export const default_config_path = 'stoa.toml';

/** Flags that are no settings: they say where to read settings, or ask for a paper in place of a start. */
export const other_flags = [
  {
    name: 'config',
    value_name: 'file',
    description: `TOML file with settings; unset, ${default_config_path} if it exists.`,
  },
  { name: 'help', value_name: '', description: 'Print this and end.' },
  { name: 'version', value_name: '', description: 'Print the version and end.' },
] as const;

export const config_variable = 'STOA_CONFIG';
