/** A UUID of version 4 from 16 bytes of chance. */
export function formatUuid(bytes: Uint8Array): string {
  const octets = Buffer.from(bytes.subarray(0, 16));
  octets[6] = ((octets[6] ?? 0) & 0x0f) | 0x40;
  octets[8] = ((octets[8] ?? 0) & 0x3f) | 0x80;
  return octets.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
