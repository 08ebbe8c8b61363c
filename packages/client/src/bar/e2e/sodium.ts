/** libsodium, loaded when it is first needed: most agents never encrypt. */
export async function loadSodium() {
  const { default: sodium } = await import('libsodium-wrappers');
  await sodium.ready;
  return sodium;
}
