/** Lets what else waits in this process have its turn, in the middle of long work. */
export const letOthers = () => new Promise<void>((resolve) => setImmediate(resolve));
