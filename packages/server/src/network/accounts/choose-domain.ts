/**
 * What stands after the `@` of addresses, as long as nothing was settled: the setting, else the room's
 * first own host, else the host name of the public URL. An address of a machine is no name: then, as
 * without any, `localhost` (D-NET-02).
 */
export function chooseDomain(given: {
  domain: string | undefined;
  hosts: readonly string[];
  public_url: string;
}): string {
  const { domain, hosts, public_url } = given;
  if (domain !== undefined) return domain;
  const name = hosts[0] ?? (public_url && new URL(public_url).hostname);
  const is_address = name.startsWith('[') || /^[0-9.]+$/.test(name);
  return name === '' || is_address ? 'localhost' : name;
}
