// Loaded before the tests of a process. Node's test runner follows every promise of a process, to name the
// test that an error out of nowhere belongs to; a sixth of the time of a test that calls a server goes there.
// Here it follows its tests alone: such an error still fails its file, and `node --test <file>` names the test.
import async_hooks from 'node:async_hooks';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const { createHook } = async_hooks;
  async_hooks.createHook = ({ init }) =>
    createHook({
      init(id, type, trigger_id, resource) {
        if (type === 'Test') init?.(id, type, trigger_id, resource);
      },
    });
  // What the runner takes from there, it takes as it is loaded.
  await import('node:test');
  async_hooks.createHook = createHook;
}
